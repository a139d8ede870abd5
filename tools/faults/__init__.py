"""Faults that the archive must survive, such as killed processes. Each public function of the modules
`clients`, `programs` and `services` is a fault."""
