"""Dumps as clients get them: the list, the files, parts of them."""

import hashlib
import io
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from archive.publishing import dumps
from archive.shown import ShownDeal
from tarock.notation import read

from .shape import assert_error


@pytest.fixture
def name(taroky: ShownDeal, tmp_path: Path, settings: Any) -> str:
    """The name of the only file of records."""
    settings.DUMP_DIR = str(tmp_path)
    (month,) = dumps.write(tmp_path, current=True)
    return dumps.tgn_name(month.month)


def body(answer: Any) -> bytes:
    """All of a file that is sent in pieces."""
    return b"".join(answer.streaming_content)


def test_the_list_leads_to_the_files(name, reader, taroky) -> None:
    listed = reader.ask("dumps").json()
    (month,) = listed["months"]
    assert (month["month"], month["deals"], month["records"]) == (name[7:14], 1, 1)
    for file in month["files"]:
        answer = reader.get(file["url"])
        raw = body(answer)
        assert (len(raw), hashlib.sha256(raw).hexdigest()) == (file["size"], file["sha256"])
        assert answer["Content-Length"] == str(file["size"])
        assert answer["Content-Disposition"] == f'attachment; filename="{file["name"]}"'
    assert month["files"][0]["sha256"] in body(reader.get(listed["sums"])).decode()
    raw = body(reader.ask(f"dumps/{name}"))
    with pyarrow.input_stream(io.BytesIO(raw), compression="zstd") as stream:
        assert read(stream.read())[0].record.digest == taroky.hex_digest


def test_a_part_of_a_file(name, reader) -> None:
    whole = reader.ask(f"dumps/{name}")
    raw, etag = body(whole), whole["ETag"]
    part = reader.ask(f"dumps/{name}", headers={"Range": "bytes=10-19"})
    assert (part.status_code, body(part)) == (206, raw[10:20])
    assert part["Content-Range"] == f"bytes 10-19/{len(raw)}"
    for range_of, expected in ((etag, (206, raw[10:])), ('"another"', (200, raw))):
        rest = reader.ask(f"dumps/{name}", headers={"Range": "bytes=10-", "If-Range": range_of})
        assert (rest.status_code, body(rest)) == expected
    beyond = reader.ask(f"dumps/{name}", headers={"Range": "bytes=999999-"})
    assert_error(beyond, 416, "no_such_range")
    assert beyond["Content-Range"] == f"bytes */{len(raw)}"
    assert reader.ask(f"dumps/{name}", headers={"If-None-Match": etag}).status_code == 304
    since = {"If-Modified-Since": whole["Last-Modified"]}
    assert reader.ask(f"dumps/{name}", headers=since).status_code == 304


def test_files_are_not_compressed_once_more(name, reader) -> None:
    answer = reader.ask(f"dumps/{name}", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer
    assert answer["Content-Length"] == str(len(body(answer)))
    head = reader.head(f"/api/v1/dumps/{name}")
    assert head["Content-Length"] == answer["Content-Length"]
    assert (body(head) if head.streaming else head.content) == b""


def test_nothing_else_in_the_folder_is_given(name, reader, tmp_path) -> None:
    (tmp_path.parent / "secret").write_text("secret")
    for other in ("dumps.json", ".lock", "..%2Fsecret", "tarock-1999-01.tgn.zst", "x" * 999):
        assert_error(reader.ask(f"dumps/{other}"), 404, "not_found")


def test_an_archive_that_writes_none(reader, settings, tmp_path) -> None:
    for folder in ("", str(tmp_path / "not yet")):
        settings.DUMP_DIR = folder
        assert reader.ask("dumps").json() == {
            "sums": None,
            "license": "https://creativecommons.org/publicdomain/zero/1.0/",
            "months": [],
        }
        assert_error(reader.ask("dumps/SHA256SUMS"), 404, "not_found")
