"""Measurements, as ratios within one run: `make bench`. None is a test; what is too slow fails nobody."""


def row(name: str, figure: str, target: str = "", good: bool | None = None) -> None:
    """Prints a line of a table."""
    verdict = "" if good is None else "reached" if good else "NOT reached"
    print(f"  {name:64s} {figure:>22s}  {target:>10s}  {verdict}", flush=True)
