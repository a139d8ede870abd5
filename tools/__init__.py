"""What makes files that are in the repository, and what starts, measures and hurts a site. Nothing here is
needed to run one."""
