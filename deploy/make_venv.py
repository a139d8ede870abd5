"""Create the virtual environment: `python3 deploy/make_venv.py .venv run|test|dev|kernel`.

This script runs before anything is installed, and needs Python 3.11 or newer. It installs exactly the files
in the lock file, after checking their hashes. Then it installs the project in editable mode and compiles it.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def say(text: str) -> None:
    print(f"==> {text}", file=sys.stderr, flush=True)


def create(folder: Path) -> None:
    """Create an environment with pip in a folder, unless the folder already has a working one."""
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
        # Without ensurepip, use the machine's pip to install pip into the environment.
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
    """Create the environment, install the packages, and write the stamps that `make` checks."""
    if sys.version_info < (3, 11):  # noqa: UP036 (older versions must not fail obscurely)
        sys.exit(
            f"Python 3.11 or newer is needed; {sys.executable} is {sys.version.split()[0]}. "
            "Name another: make PYTHON=python3.12 run"
        )
    folder, part = Path(sys.argv[1]), sys.argv[2]
    lock = PROJECT / "deploy" / "requirements" / f"{part}.txt"
    create(folder)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    say(f"installing what {lock.relative_to(PROJECT)} names (a minute or two the first time)")
    # Use --no-deps, because the lock file is complete, and --prefer-binary, so that wheels need no compiler.
    installing = [*pip, "--require-hashes", "--no-deps", "--prefer-binary", "-r", str(lock)]
    if part != "run":
        # Tests import a small part of their packages, and compiling all takes longer than installing them.
        installing.append("--no-compile")
    subprocess.run(installing, check=True)
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--editable", str(PROJECT)],
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    # pip compiles only the packages. If Python can't write bytecode here, every start would compile the
    # project again: `tarock --version` takes 0.28 s instead of 0.11.
    packages = ("tarock", "archive", "replays", "api", "deploy", "tools")
    compiling = [str(folder / "bin" / "python"), "-m", "compileall", "-q", *packages]
    # Without bytecode, for example in a folder that can't be written, everything only starts more slowly.
    subprocess.run(compiling, check=False, cwd=PROJECT)
    # A larger environment includes the smaller ones, so write their stamps, too.
    parts = ["run", "test", "dev"]
    for held in parts[: parts.index(part) + 1] if part in parts else ["run", part]:
        (folder / f".{held}").touch()


if __name__ == "__main__":
    main()
