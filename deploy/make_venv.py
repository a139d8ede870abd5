"""Make the virtual environment: `python3 deploy/make_venv.py .venv run|test|dev`.

Runs under any Python from 3.11, before anything is installed. It installs exactly the files that the lock
file names, checked against their hashes; then the project itself, in place.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def say(text: str) -> None:
    """Print one line for the person waiting."""
    print(f"==> {text}", file=sys.stderr, flush=True)


def create(folder: Path) -> None:
    """Create an environment with pip in it, unless there is one that works."""
    python = folder / "bin" / "python"
    if python.exists():
        works = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False)
        if works.returncode == 0:
            return
        say(f"{folder} is damaged: making it again")
    say(f"making {folder} with Python {sys.version.split()[0]}")
    try:
        import ensurepip  # noqa: F401  (some distributions leave it out)
    except ImportError:
        # Then any pip on the machine can fill the environment from outside.
        if shutil.which("pip3") is None:
            sys.exit(
                "This Python comes without ensurepip and there is no pip3 on the PATH. "
                "On Debian and Ubuntu: apt install python3-venv"
            )
        venv.create(folder, with_pip=False, clear=True)
        subprocess.run(["pip3", "--python", str(python), "install", "--quiet", "pip"], check=True)
        return
    venv.create(folder, with_pip=True, clear=True)


def main() -> None:
    """Create, install, and write the stamp that `make` compares with the lock file."""
    if sys.version_info < (3, 11):  # noqa: UP036  (the whole point: say so before anything fails obscurely)
        sys.exit(
            f"Python 3.11 or newer is needed; {sys.executable} is {sys.version.split()[0]}. "
            "Name another: make PYTHON=python3.12 run"
        )
    folder, part = Path(sys.argv[1]), sys.argv[2]
    lock = PROJECT / "deploy" / "requirements" / f"{part}.txt"
    create(folder)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    say(f"installing what {lock.relative_to(PROJECT)} names (a minute or two the first time)")
    # --no-deps: the lock is complete. Wheels only, save where a package has none: no compiler is needed.
    subprocess.run([*pip, "--require-hashes", "--no-deps", "--prefer-binary", "-r", str(lock)], check=True)
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--editable", str(PROJECT)],
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    # Every larger part holds the smaller ones.
    parts = ["run", "test", "dev"]
    for held in parts[: parts.index(part) + 1]:
        (folder / f".{held}").touch()


if __name__ == "__main__":
    main()
