"""The client and the mirror of docs/api.md, as they stand there, on the site as `make run` starts it."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tarock.notation import dump_json, write_text
from tarock.simulate import simulate
from tests import samples
from tools.site import Site

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def guide() -> dict[str, Any]:
    """What the guide's Python defines."""
    made: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL):
        exec(block, made)
    return made


def connect(guide: dict[str, Any], product: Site, token: str | None = None) -> Any:
    return guide["Archive"](product.address.rstrip("/"), token)


def deals(number: int, seed: int) -> list[str]:
    """So many new deals."""
    return [write_text(record) for record in simulate("taroky", deals=number, seed=seed)]


def test_the_client_sends_and_reads(guide: dict[str, Any], product: Site) -> None:
    archive = connect(guide, product, product.token)
    first, last = deals(2, seed=1001)
    results = list(archive.send(f"{first}\n{samples.MALFORMED}\n{last}"))
    assert [result["outcome"] for result in results] == ["stored", "malformed", "stored"]
    (line,) = archive.deals(ids=str(results[0]["id"]), fields="id,verdict")
    assert line == {"id": results[0]["id"], "verdict": "verified"}
    with pytest.raises(RuntimeError, match="is not a parameter"):
        archive.ask("GET", "deals", params={"verdikt": "verified"})


def test_no_line_of_a_stream_has_two_ends(guide: dict[str, Any], product: Site) -> None:
    archive = connect(guide, product, product.token)
    (record,) = simulate("taroky", deals=1, seed=1002)
    strange = replace(record, tags={"Event": "one\x85two\u2028three\u2029four"})
    (result,) = archive.send(dump_json(strange))
    (line,) = archive.deals(ids=str(result["id"]))
    assert line["event"] == "one\x85two\u2028three\u2029four"


def in_mirror(path: Path) -> dict[str, Any]:
    with sqlite3.connect(path) as mirror:
        return {key: json.loads(deal) for key, deal in mirror.execute("select key, deal from deal")}


def test_a_mirror_follows_an_archive_under_load(guide: dict[str, Any], product: Site, tmp_path: Path) -> None:
    """Three send, correct and withdraw, one mirrors: in the end the mirror has what everybody sees."""
    path, faults = tmp_path / "mirror.sqlite3", []
    ended = threading.Event()

    def work(name: int) -> None:
        mine = connect(guide, product, product.token)
        for n in range(4):
            texts = deals(25, seed=2000 + 10 * name + n)
            numbers = [result["id"] for result in mine.send("\n".join(texts))]
            mine.ask("POST", f"deals/{numbers[0]}/visibility", json={"visibility": "withdrawn"})
            mine.ask("POST", f"deals/{numbers[1]}/visibility", json={"visibility": "members"})
            mine.ask("POST", f"deals/{numbers[1]}/visibility", json={"visibility": "public"})
            told = re.sub(r'\[A "[^"]*"\]', '[A "Corrected"]', texts[2])
            tgn = {"Content-Type": "application/vnd.tgn"}
            mine.ask("POST", f"deals/{numbers[2]}/correction", content=told.encode(), headers=tgn)

    def mirror() -> None:
        reader = connect(guide, product)
        while not ended.is_set():
            guide["follow"](reader, path)

    def guarded(action: Callable[..., None], *how: Any) -> None:
        try:
            action(*how)
        except BaseException as fault:
            faults.append(fault)

    workers = [threading.Thread(target=guarded, args=(work, name)) for name in range(3)]
    following = threading.Thread(target=guarded, args=(mirror,))
    for thread in (*workers, following):
        thread.start()
    for thread in workers:
        thread.join()
    ended.set()
    following.join()
    assert not faults

    reader = connect(guide, product)
    guide["follow"](reader, path)
    assert guide["follow"](reader, path) == 0
    has = in_mirror(path)
    parts = "digest,verdict,score,record"
    everybody: Iterator[Any] = reader.deals(fields=f"deal,{parts}")
    sees = {line.pop("deal"): line for line in everybody}
    assert len(sees) > 250
    assert has == sees
    asked = list(has)[:200]
    by_key = {line.pop("deal"): line for line in reader.deals(ids=",".join(asked), fields=f"deal,{parts}")}
    assert by_key == {key: has[key] for key in asked}
