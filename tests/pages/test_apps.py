"""The apps in the browser: the engine and its answers at the server, the page on which a browser checks
records by itself, the board, and the scripts with what they keep on the device."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import translation

import replays
from archive.kernel import solver
from archive.models import Deal, Member, Session, Upload
from archive.shown import ShownDeal
from archive.storing import spaces
from archive.web import throttles
from replays.apps import engine
from replays.apps.views.engine import MOST_BYTES
from replays.language.names import Names
from replays.language.verdicts import VERDICTS
from replays.site.device import COOKIES, STORED, USER_COOKIE
from tarock.analysis.verify import check
from tarock.notation import read_one, write_json
from tarock.view.answers.questions import answer
from tarock.view.finding import FindingView
from tarock.words.clauses import LANGUAGES
from tests import conformance
from tests.engine.test_variations import SKYZ
from tests.support import samples
from tests.support.storing import secret_of, stored

from .conftest import missing, page_at

pytestmark = pytest.mark.django_db

GAMES = {"ask": "games", "language": "cs"}


def put_question(client: Client, body: object) -> Any:
    return client.post("/evenings/ask", body, content_type="application/json")


def test_a_version_is_for_good_and_its_worker_alone_may_compile_webassembly(client: Client) -> None:
    here = f"/evenings/engine/{engine.engine().version}"
    for name in ("worker.js", "tarock.zip"):
        there = client.get(f"{here}/{name}")
        assert (there.status_code, "immutable" in there["Cache-Control"]) == (200, True)
        assert client.get(f"/evenings/engine/0000000000000000/{name}").status_code == 404
    policy = client.get(f"{here}/worker.js")["Content-Security-Policy"]
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    for path in ("/", "/evenings/", "/check/own/", "/evenings/sw.js", f"{here}/tarock.zip"):
        policy = client.get(path)["Content-Security-Policy"]
        assert ("script-src 'self'" in policy.split("; "), "unsafe" in policy) == (True, False), path


def test_the_package_is_the_engine_and_always_the_same() -> None:
    made = engine.engine()
    engine.engine.cache_clear()
    again = engine.engine()
    assert (again.zip, again.version) == (made.zip, made.version)
    with zipfile.ZipFile(io.BytesIO(made.zip)) as packed:
        names = packed.namelist()
        source = packed.read("tarock/view/answers/questions.py")
        assert packed.read("kernel.wasm") == (solver.FOLDER / "kernel.wasm").read_bytes()
    assert source.decode() == (engine._PACKAGE / "view/answers/questions.py").read_text(encoding="utf-8")
    assert "tarock/games/taroky/texts/cs.json" in names
    assert not [name for name in names if "/cli/" in name or "cache" in name]


def test_a_question_is_answered_as_by_the_engine(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    found = put_question(client, json.dumps(GAMES))
    assert (found.status_code, found.json()) == (200, json.loads(answer(json.dumps(GAMES))))
    for body in (b"\xff\xfe", "[" * 100_000, "{}", '{"ask": "form"}'):
        found = put_question(client, body)
        assert (found.status_code, bool(found.json()["error"]["message"])) == (200, True)
    # The server calculates no values of cards.
    values = {"ask": "values", "record": write_json(read_one(samples.TAROKY))}
    assert put_question(client, json.dumps(values)).json()["error"]["code"] == "browser-only"
    assert put_question(client, " " * (MOST_BYTES + 1)).status_code == 413
    assert client.get("/evenings/ask").status_code == 405
    monkeypatch.setattr(throttles.Questions, "rate", "2/min")
    statuses = [put_question(client, json.dumps(GAMES)).status_code for _ in range(3)]
    assert statuses[-1] == 429


def test_the_app_names_its_files(client: Client) -> None:
    manifest = client.get("/evenings/manifest.webmanifest").json()
    assert (manifest["start_url"], manifest["scope"]) == ("/evenings/", "/evenings/")
    worker = client.get("/evenings/sw.js")
    assert worker["Content-Type"].startswith("text/javascript")
    page = client.get("/evenings/").text
    files = json.loads(worker.text.split("FILES = ")[1].split(";")[0])
    assert [file for file in files if file.endswith(".js")]
    for file in files:
        assert file in page or "icon" in file, file
    pages = SCRIPTS / "evening/pages.js"
    assert all_imports(pages) | {pages} <= files_of(files), "without network all modules are there"


def test_the_own_check_sends_nothing_that_is_put_in(client: Client) -> None:
    """Its field and its files are in no form, and have no names. It has every verdict in words."""
    text = client.get("/check/own/").text
    (main,) = re.findall(r"<main.*?</main>", text, re.DOTALL)
    assert "<form" not in main
    fields = re.findall(r"<(?:textarea|input)\b[^>]*>", main)
    assert len(fields) == 3
    assert not any(" name=" in field for field in fields)
    assert "Nothing is sent" in main
    (texts,) = re.findall(r'<script id="texts" type="application/json">(.*?)</script>', text)
    assert list(json.loads(texts)["verdicts"]) == list(VERDICTS)
    for page in ("/upload/", "/check/"):
        assert "/check/own/" in page_at(client, page).attributes("href")
    # It says what is missing, and where else to go.
    for language in LANGUAGES:
        text = client.get("/check/own/", headers={"accept-language": language}).text
        (noscript,) = re.findall(r"<noscript>(.*?)</noscript>", text, re.DOTALL)
        assert missing(noscript, 'href="/check/"', "JavaScript") == []
        assert "WebAssembly" in text


def test_a_record_is_checked_and_not_stored(client: Client) -> None:
    text = client.post("/check/", {"page": "1", "text": samples.WRONG_CLAIM}).text
    # The text is there for corrections, escaped.
    assert missing(text, "<main", "Disputed", "[TGN ") == []
    text = client.post("/check/", {"page": "1", "text": samples.NASTY + "</textarea>"}).text
    assert (samples.SCRIPT in text, text.count("</textarea>")) == (False, 1)
    assert not Deal.objects.exists() | Upload.objects.exists()
    found = client.post("/check/", {"page": "1", "text": "x" * 70_000})
    assert (found.status_code, "too long for a record" in found.text) == (413, True)


ROOT = Path(replays.__file__).parents[1]
SCRIPTS = ROOT / "replays" / "static" / "replays"
IMPORTED = re.compile(r"""\bimport\b\s*(?:[^"';]*?\bfrom\s*)?["']([./][^"']*)["']""")


def imports(script: Path) -> set[Path]:
    found = IMPORTED.findall(script.read_text(encoding="utf-8"))
    return {(script.parent / path).resolve() for path in found}


def all_imports(script: Path) -> set[Path]:
    """The files that a script imports, and those that they import."""
    found: set[Path] = set()
    new = {script}
    while new:
        new = {path for one in new for path in imports(one)} - found
        found |= new
    return found


def files_of(names: list[str]) -> set[Path]:
    return {SCRIPTS / name.partition("/replays/")[2] for name in names if name.endswith(".js")}


def test_every_import_of_the_built_scripts_exists(tmp_path: Path, settings: Any) -> None:
    """A browser keeps a script for ever: what it imports has the hash of its content in its name, too. So
    nothing may import itself."""
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "replays.site.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["js", "css", "json", "svg", "wasm", "zip"]  # takes 13 s
    call_command("collectstatic", verbosity=0, interactive=False)
    built = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    scripts = [tmp_path / path for name, path in built.items() if "/pyodide" not in name]
    imported = {path for one in scripts if one.match("replays/**/*.js") for path in imports(one)}
    assert len(imported) > 10
    assert {path for path in imported if not path.is_file()} == set()
    assert {path for path in imported if not re.search(r"\.[0-9a-f]{12}\.js$", path.name)} == set()


def test_a_page_names_all_modules_of_its_script(client: Client, taroky: ShownDeal) -> None:
    """So a browser fetches them at once, and not one after the other."""
    here = f"/deals/{taroky.pk}/"
    for path in ("/", "/board/", "/evenings/", "/check/own/", f"{here}replay/", f"{here}try/"):
        html = client.get(path).text
        named = files_of(re.findall(r'<link rel="modulepreload" href="([^"]+)"', html))
        started = files_of(re.findall(r'<script type="module" src="([^"]+)"', html))
        assert started, path
        assert named | started == {one for script in started for one in all_imports(script)} | started, path


WRITES = re.compile(
    r"\b(?:setItem|caches\.open|cookieStore\.set|openDB)\(\s*([^\s,)]+)|\b(?:put|keep)\(\{\s*([^\]}]+)"
)
"""Each place where a script keeps something, with the name that it gives it."""

KNOWN = {
    "SHELL", "CACHE", "name", "owned(name", '"tarock"', "[TREE", "[PREFIX + key",
    "[PREFIX + evening.setup.key", "...Object.fromEntries(old), [PREFIX + page.board.key",
    '[owned("evenings-start")', "[owned(name)", "[owned(`board:${key", '"evenings-start": null ',
}  # fmt: skip
"""Names as they are written there; each of the constants is read below."""

NAMES = (
    r"\bowned\([\"`]([\w-]+:?)",
    r"\bkeep\(\"[\w-]+\", \"([\w-]+)\"\)",
    r"\bremember(?:ed)?\(\"([\w-]+)\"",
    r"const (?:SHELL|CACHE) = [\"`]([\w-]+-)",
)


def test_the_list_names_what_the_scripts_keep() -> None:
    folders = ("replays/static", "templates", "api/static")
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*.js"))
    own = (path for path in paths if not re.search("pyodide|swagger|redoc|idb", str(path)))
    text = "\n".join(path.read_text() for path in own)
    written = {name for found in WRITES.findall(text) for name in found if name}
    assert written <= KNOWN, "a name that no list has: add it to replays/site/device.py"
    named = {name for pattern in NAMES for name in re.findall(pattern, text)}
    assert named == {name for name, *_rest in STORED}, "a name that no list has, or of which no script knows"
    assert "document.cookie =" not in text


def test_the_page_on_privacy_has_the_list(client: Client) -> None:
    for language in LANGUAGES:
        html = client.get("/privacy/", headers={"Accept-Language": language}).text
        assert missing(html, *(f"<code>{name}</code>" for name, *_ in (*COOKIES, *STORED))) == []


def test_every_cookie_is_in_the_list(client: Client, taroky: ShownDeal) -> None:
    client.post("/language", {"language": "cs", "next": "/"})
    client.get("/evenings/start.json")
    lines = {"variations": [SKYZ], "visibility": "link", "version": 0}
    client.put(f"/deals/{taroky.pk}/variations.json", json.dumps(lines), content_type="application/json")
    form = {"username": "fresh", "password1": "-secret-7x", "password2": "-secret-7x"}
    client.post("/accounts/signup/", form)
    assert set(client.cookies) == {name for name, *_rest in COOKIES}


def test_scripts_know_who_is_signed_in(alena: User) -> None:
    client = Client()
    assert USER_COOKIE not in client.get("/").cookies
    evenings = client.get("/evenings/").content
    client.force_login(alena)
    cookie = client.get("/").cookies[USER_COOKIE]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == (str(alena.pk), "Lax", "")
    assert USER_COOKIE not in client.get("/").cookies, "once is enough"
    assert client.get("/evenings/").content == evenings, "the page that phones keep is the same for all"
    assert client.post("/accounts/logout/").cookies[USER_COOKIE].value == ""
    # A session that ended by itself.
    client.force_login(alena)
    client.get("/")
    client.session.flush()
    assert client.get("/evenings/start.json").cookies[USER_COOKIE].value == ""
    # A token is no sign-in.
    headers = {"Authorization": f"Bearer {secret_of(alena)}"}
    assert USER_COOKIE not in Client().get("/api/v1/me", headers=headers).cookies


ILLEGAL = [name for name, row in conformance.deals().items() if row["expect"]["verdict"] == "illegal"]


@pytest.mark.parametrize("name", ILLEGAL[:: len(ILLEGAL) // 10])
def test_the_board_has_the_words_of_the_page(name: str) -> None:
    record = conformance.record(name)
    assert record is not None
    error = check(record).error
    assert error is not None
    for language in LANGUAGES:
        question = {"ask": "board", "record": write_json(record), "language": language}
        found = json.loads(answer(json.dumps(question)))["finding"]
        with translation.override(language):
            of_page = FindingView(error, Names(record.game, record.players), record)
            assert of_page.clause
            assert (found["event"], found["text"]) == (error.event, of_page.text)
            assert (found["clause"], found["title"]) == (of_page.clause, of_page.title)
        assert found["place"].lower() == of_page.place.lower()
        assert {*of_page.legal_words} <= {*found["legal"]}


def data(html: str, name: str) -> Any:
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_everybody_has_the_board(client: Client) -> None:
    html = client.get("/board/").text
    assert data(html, "addresses")["cards"].endswith("cards.svg")
    assert data(html, "catalog") == {}  # the scripts are in English
    assert missing(html, 'action="/upload/"', 'rel="license"') == []
    # A visitor has no club to choose, and no members.
    assert 'name="space"' not in html
    choices = re.search(r'<select name="visibility".*?</select>', html, re.DOTALL)
    assert choices is not None
    assert re.findall(r'value="(\w*)"', choices[0]) == ["public", "unlisted"]
    for language, words in (("de", "Mischen und geben"), ("cs", "Zamíchat a rozdat")):
        html = client.get("/board/", headers={"Accept-Language": language}).text
        assert data(html, "catalog")["cards\u0004Shuffle and deal"] == words
        assert data(html, "addresses")["cards"].endswith(f"cards-{language}.svg")
    assert client.get("/upload/").text.count('href="/board/') == 2  # the page, and its footer
    assert 'href="/board/' in client.get("/").text


def test_members_choose_among_their_own_clubs_and_are_offered_their_players(client: Client) -> None:
    """Those who come from the club or from one of its sessions; nobody else."""
    user = User.objects.create_user("member")
    club = spaces.found_club("Tarok Hlučín", by=User.objects.create_user("owner"))
    Member.objects.create(space=club, user=user)
    spaces.found_club("Elsewhere", by=User.objects.create_user("stranger"))
    stored(samples.ANNOTATED, user=user, space=club)
    session = Session.objects.get(space=club)
    addresses = (f"/board/?club={club.pk}", f"/board/?session={session.pk}")
    for address in addresses:
        assert data(client.get(address).text, "offered") == {"players": []}
    client.force_login(user)
    html = client.get("/board/").text
    assert missing(html, 'name="space"', "Tarok Hlučín") == []
    assert "Elsewhere" not in html
    by_club, by_session = (data(client.get(address).text, "offered") for address in addresses)
    assert sorted(by_club["players"]) == ["Alena", "Bořek", "Cyril", "Dana"]
    assert by_session == by_club | {"tags": {"Session": session.name, "Date": session.date}}
    assert data(client.get("/board/?club=x&session=99999").text, "offered") == {"players": []}
    link = f'href="/board/?session={session.pk}#new"'
    for browser, there in ((client, True), (Client(), False)):
        assert (link in browser.get(f"/sessions/{session.pk}/").text) == there
