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


def works(command: list[str], *, capture_output: bool = False) -> bool:
    """Run a program, and return whether its exit status is 0."""
    return subprocess.run(command, capture_output=capture_output, check=False).returncode == 0


def create(folder: Path) -> None:
    """Create an environment with pip in a folder, unless the folder already has a working one."""
    python = folder / "bin" / "python"
    if python.exists():
        if works([str(python), "-m", "pip", "--version"], capture_output=True):
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
    locks = PROJECT / "deploy" / "requirements"
    create(folder)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    uv = [str(folder / "bin" / "uv"), "pip", "install", "--quiet", "--system-certs", "--python", str(python)]
    # Use --no-deps, because the lock files are complete.
    exact = ["--require-hashes", "--no-deps", "-r", str(locks / f"{part}.txt")]
    # Tests import a small part of their packages, and compiling all takes longer than installing them.
    compiling = "--compile" if part == "run" else "--no-compile"
    say(f"installing what deploy/requirements/{part}.txt names (a minute or two the first time)")
    # uv takes a quarter of pip's time. If it can't be installed, or can't reach the packages, use pip.
    if not (
        works([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(locks / "uv.txt")])
        and works([*uv, f"{compiling}-bytecode", *exact])
    ):
        say("uv can't install them here; pip takes longer")
        subprocess.run([*pip, compiling, "--prefer-binary", *exact], check=True)
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--editable", str(PROJECT)],
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    # Compile the project, too. If Python can't write bytecode later, every start would compile it again:
    # `tarock --version` takes 0.28 s instead of 0.11.
    packages = ("tarock", "archive", "replays", "api", "deploy", "tools")
    # Without bytecode, for example in a folder that can't be written, everything only starts more slowly.
    subprocess.run([str(python), "-m", "compileall", "-q", *packages], check=False, cwd=PROJECT)
    # A larger environment includes the smaller ones, so write their stamps, too.
    parts = ["run", "test", "dev"]
    for held in parts[: parts.index(part) + 1] if part in parts else ["run", part]:
        (folder / f".{held}").touch()


if __name__ == "__main__":
    main()
