"""The dependencies and variables in docs/ are those of the project."""

import hashlib
import re
import tomllib

import pytest
import yaml
from django.core.management import get_commands

from tools.site import PROJECT

PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def first_cells(text: str) -> list[str]:
    """Return the text in backquotes in the first cell of each table row."""
    return re.findall(r"^\| `([^`]+)` \|", text, flags=re.MULTILINE)


def section(text: str, title: str) -> str:
    """A section from its title to the next of the same rank."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def names(requirements: list[str]) -> list[str]:
    """The packages of a list of requirements."""
    return [re.match(r"[A-Za-z0-9_.-]+", requirement)[0] for requirement in requirements]  # type: ignore[index]


def test_every_dependency_has_its_reason() -> None:
    page = (PROJECT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    extras = PYPROJECT["project"]["optional-dependencies"]
    assert first_cells(section(page, "To run")) == names(PYPROJECT["project"]["dependencies"])
    assert first_cells(section(page, "To test (`test`)")) == names(extras["test"])
    assert first_cells(section(page, "To develop (`dev`)")) == names(extras["dev"])
    assert first_cells(section(page, "To build the kernel (`kernel`)")) == names(extras["kernel"])
    reasons = re.findall(r"^\| `[^`]+` \|([^|]+)\|", page, flags=re.M)
    assert all(len(reason.strip()) > 10 for reason in reasons)


def test_the_code_has_a_licence() -> None:
    assert (PYPROJECT["project"]["license"], PYPROJECT["project"]["license-files"]) == ("MIT", ["LICENSE"])
    text = (PROJECT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License\n\nCopyright (c) 2026 The Tarock Archive authors\n")
    assert "[MIT License](LICENSE)" in section((PROJECT / "README.md").read_text(encoding="utf-8"), "Licence")


def test_the_files_of_pyodide_are_those_that_are_named() -> None:
    page = (PROJECT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    about = page.partition("\n### Pyodide\n")[2]
    (folder,) = re.findall(r"^`([^`]+/)`: Python in the browser", about, flags=re.MULTILINE)
    named = dict(re.findall(r"^\| `([^`]+)` \|[^|]+\| `([0-9a-f]{64})` \|$", about, flags=re.MULTILINE))
    files = {path.name: path.read_bytes() for path in (PROJECT / folder).iterdir()}
    assert {name: hashlib.sha256(content).hexdigest() for name, content in files.items()} == named


@pytest.mark.parametrize(
    ("name", "extras"),
    [("run", []), ("test", ["test"]), ("dev", ["test", "dev"]), ("kernel", ["kernel"])],
    ids=lambda v: str(v),
)
def test_locks_hold_what_pyproject_names_with_hashes_and_no_index(name: str, extras: list[str]) -> None:
    lock = (PROJECT / "deploy" / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert [words for words in ("://", "--index", "--find-links") if words in lock] == []
    blocks = re.split(r"\n(?=[a-z0-9])", lock.strip())
    locked = {}
    for block in blocks:
        found = re.match(r"([a-z0-9_.-]+)==([^\s;]+)", block)
        assert found, block[:80]
        assert "--hash=sha256:" in block, block[:80]
        locked[found[1]] = found[2]
    wanted = list(PYPROJECT["project"]["dependencies"])
    for extra in extras:
        wanted += PYPROJECT["project"]["optional-dependencies"][extra]
    for requirement in wanted:
        package = re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower()  # type: ignore[index]
        exact = re.search(r"==([^\s;,]+)", requirement)
        assert package in locked
        assert exact is None or locked[package] == exact[1]


def variables_in_code() -> set[str]:
    """Every variable that some line of the project reads."""
    found: set[str] = set()
    folders = ("deploy", "tests", "tests/support", "tools")
    for path in (path for folder in folders for path in (PROJECT / folder).glob("*.py")):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"\benv\.\w+\(\s*\"([A-Z_]+)\"", text))
        found |= set(re.findall(r"environ(?:ment)?(?:\.get|\.setdefault)\(\s*\"([A-Z_]+)\"", text))
        found |= set(re.findall(r"^ONLY_WHEELS = \"([A-Z_]+)\"", text, flags=re.MULTILINE))
    # Not for anybody to set: Django's own, and what one process of the tests tells another.
    ours = ("TAROCK_TESTS", "PYTEST_")
    return {name for name in found if name != "DJANGO_SETTINGS_MODULE" and not name.startswith(ours)}


def test_every_variable_is_explained_and_every_explained_one_is_read() -> None:
    page = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    explained = first_cells(section(page, "Every variable"))
    assert len(explained) == len(set(explained))
    assert set(explained) == variables_in_code()


def test_links_between_pages_lead_somewhere() -> None:
    for page in [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_units_images_and_the_operator_run_programs_that_are_there() -> None:
    """A renamed module would otherwise be found by the operator."""
    texts = [path.read_text(encoding="utf-8") for path in (PROJECT / "deploy" / "systemd").iterdir()]
    files = (PROJECT / "deploy" / name for name in ("Containerfile", "compose.yaml"))
    texts += [file.read_text(encoding="utf-8") for file in files]
    for module in {found for text in texts for found in re.findall(r"\bdeploy\.([a-z_]+)\b", text)}:
        assert (PROJECT / "deploy" / f"{module}.py").exists(), module
    texts.append((PROJECT / "docs" / "operations.md").read_text(encoding="utf-8"))
    commands = {command for text in texts for command in re.findall(r"manage\.py,? ([a-z_]+)", text)}
    assert {"reverify", "migrate", "sweep", "collectstatic"} <= commands <= set(get_commands())


def test_containers_name_files_and_variables_that_exist() -> None:
    """No test builds the image, so a renamed file or setting would show only on the operator's machine."""
    folder = PROJECT / "deploy"
    services = yaml.safe_load((folder / "compose.yaml").read_text(encoding="utf-8"))["services"]
    image = (folder / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    build = services["web"]["build"]
    context = folder / build["context"]
    mounts = [mount.split(":") for service in services.values() for mount in service.get("volumes", [])]
    files = [folder / mount[0] for mount in mounts if mount[0].startswith(".") and mount[-1] == "ro"]
    files += [context / build["dockerfile"], context / f"{build['dockerfile']}.dockerignore"]
    files += [context / name for name in re.findall(r"^COPY (\S+)", image, flags=re.MULTILINE)]
    assert len(files) == 5
    assert [path for path in files if not path.exists()] == []
    example = (folder / "env.example").read_text(encoding="utf-8")
    set_by_operator = set(re.findall(r"^([A-Z_]+)=", example, flags=re.MULTILINE))
    names = set_by_operator | set(services["web"]["environment"])
    names |= set(re.findall(r"([A-Z_]+)=", " ".join(re.findall(r"^ENV (.*)$", image, flags=re.MULTILINE))))
    page = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    explained = set(first_cells(section(page, "Every variable")))
    of_python = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PIP_NO_CACHE_DIR"}
    assert names - explained == of_python | {"SITE_NAME", "POSTGRES_PASSWORD"}
    required = set(re.findall(r"\$\{([A-Z_]+):\?", (folder / "compose.yaml").read_text(encoding="utf-8")))
    assert required == {"SITE_NAME", "POSTGRES_PASSWORD", "SECRET_KEY"} <= set_by_operator
    archive = {name for name, service in services.items() if service["image"] == "tarock-archive"}
    assert archive == {"migrate", "web", "worker", "sweeper", "backup"}
    assert all(services[name]["env_file"] == "env" for name in archive)
