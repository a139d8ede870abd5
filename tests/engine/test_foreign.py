"""Files that people really have: packed, in old encodings, or of another kind."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile

import pytest

from tarock.notation import packed, pieces_of, read, read_file
from tarock.notation.pieces import PIECE
from tests.engine.driver import examples
from tests.support.effort import THOROUGH
from tests.support.samples import TAROKY, TROGGU

NAMES = "Alena", "Bořek", "Cyril", "Dana"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
OTHERS = {
    b'[Event "Open"]\n[Site "Brno"]\n[White "Jana"]\n[Black "Petr"]\n\n1. e4 e5 1-0\n': ("other-game", "PGN"),
    b'% PBN 2.1\n[Event ""]\n': ("other-game", "PBN"),
    b'[Event "?"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n': ("other-game", "PBN"),
    b"pn|a,b,c,d|st||md|3S2HAKQ,S4|\n": ("other-game", "LIN"),
    b"(;FF[4]GM[1]SZ[19];B[pd];W[dd])": ("other-game", "SGF"),
    b"(;GM[Skat]PC[International Skat Server]CO[];)": ("other-game", "ISS"),
    b"variant = 'NT'\nantes = [0, 0]\n": ("other-game", "PHH"),
    b'{"title":["",""],"name":["a","b"],"rule":{"aka":1},"log":[[[0,0,0]]]}': ("other-game", "tenhou"),
    b'<mjloggm ver="2.3"><SHUFFLE/></mjloggm>': ("other-game", "tenhou"),
    b'{"type":"start_game","names":["a","b"]}\n{"type":"end_game"}\n': ("other-game", "mjai"),
    b"Datum;Spiel;Anna\n12.11.2026;1;12\n": ("table", ""),
    "date,Žofie,Bořek\n2026-11-12,5,-5\n".encode(): ("table", ""),
    OLE + "Workbook".encode("utf-16-le"): ("table", ""),
    OLE + "WordDocument".encode("utf-16-le"): ("document", "Word"),
    b"{\\rtf1\\ansi Alena 12}": ("document", "Word"),
    b"%PDF-1.7\n%\xe2\xe3": ("document", "PDF"),
    b"<!DOCTYPE html>\n<html><body>1</body></html>": ("document", "HTML"),
    PNG: ("picture", ""),
    b"\xff\xd8\xff\xe0\0\x10JFIF": ("picture", ""),
    b"RIFF\0\0\0\0WEBPVP8 ": ("picture", ""),
    b"\0\0\0\x18ftypheic": ("picture", ""),
    b"BM;Anna\n1;2\n": ("table", ""),
    b"BM" + bytes(20): ("picture", ""),
    b"7z\xbc\xaf\x27\x1c\x00\x04": ("packed", ""),
    b"[20:15, 12.11.2025] Jana: Petr 12, Jan -12\n": ("free-text", ""),
    "Ahoj, dnes jsme hráli do půlnoci a Jana vyhrála.".encode(): ("free-text", ""),
}


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name.replace("__", "."), data)
    return out.getvalue()


def reasons(data: bytes) -> list[str]:
    return [entry.error.reason if entry.error else "good" for entry in read(data)]


def test_a_file_of_another_kind_has_one_answer() -> None:
    """However long it is."""
    for number, (data, expected) in enumerate(OTHERS.items()):
        for sent in (data, data + b"\n" + b"x;y\n" * (PIECE // 4))[: 1 + (number % 3 == 0 or THOROUGH)]:
            (entry,) = read(sent)
            error = entry.error
            assert error is not None, data
            assert (error.reason, error.values.get("found", "")) == expected, data
            assert (error.line, error.column) == (1, 1), data


def test_what_looks_like_another_file_but_is_a_record_is_read() -> None:
    for more in ('[White "Jana"]\n[Black "Petr"]\n', '[Board "1"]\n[Vulnerable "None"]\n'):
        assert reasons(TAROKY.replace("\n", "\n" + more, 1).encode()) == ["good"]
    for text in ("A bid first\nB pass\n", "deal A T1 T2\n", '[Game "taroky"]\n', "{}", "[1"):
        assert not {"free-text", "table", "other-game"} & set(reasons(text.encode())), text


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859-2", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_record_in_another_encoding_is_read(encoding: str) -> None:
    """Also if its first special letter comes only after many records."""
    for text in (TAROKY, TAROKY.replace("ř", "r").replace("čí", "ci") * 200 + TAROKY):
        entries = read(text.encode(encoding))
        assert {entry.error for entry in entries} == {None}
        record = entries[-1].record
        assert record is not None
        assert tuple(record.players.values()) == NAMES
        assert record.tags["Event"] == "Hlučín club evening"


@pytest.mark.parametrize(("name", "encoding"), [
    ("Jürgen Weiß", "cp1252"),
    ("Åse Kjær", "cp1252"),
    ("Žaneta “Želva” Š.", "cp1250"),
    ("山田太郎", "cp932"),
    ("タロウ", "cp932"),
    ("ﾀﾛｳ", "cp932"),
])  # fmt: skip
def test_names_of_four_languages_are_read_in_old_encodings(name: str, encoding: str) -> None:
    (entry,) = read(TAROKY.replace("Bořek", name).replace("Hlučín", "").encode(encoding))
    assert entry.record is not None
    assert entry.record.players["B"] == name


def test_a_text_that_reads_well_in_two_encodings_is_a_question() -> None:
    """Søren in Danish is Sřren, possible letters in Czech."""
    (entry,) = read(TAROKY.replace("Bořek", "Søren").replace("Hlučín", "").encode("cp1252"))
    assert entry.error is not None
    assert entry.error.reason == "encoding-unclear"
    found = entry.error.values["found"]
    assert "Windows-1252" in found
    assert '[B "Søren"]' in found
    assert '[B "Sřren"]' in found
    assert entry.error.values["encodings"]["cp1252"] == '[B "Søren"]'


def test_the_encoding_that_was_chosen_is_used_where_it_fits() -> None:
    unclear, clear = (TAROKY.replace("Bořek", name).replace("Hlučín", "") for name in ("Søren", "Weiß"))
    data = zipped(a__tgn=unclear.encode("cp1252"), b__tgn=clear.encode("cp1252"), c__tgn=TAROKY.encode())
    for encoding, name in (("cp1252", "Søren"), ("cp1250", "Sřren")):
        records = [entry.record for entry in read_file(io.BytesIO(data), encoding=encoding)]
        assert [record and record.players["B"] for record in records] == [name, "Weiß", "Bořek"]


def test_lines_may_end_as_on_old_computers() -> None:
    assert reasons(TAROKY.replace("\n", "\r").encode()) == ["good"]
    assert reasons(TAROKY.encode() + b"\x1a") == ["good"]


def test_the_files_in_a_packed_one_are_read_as_if_sent_alone() -> None:
    form = json.dumps([{"tgn": 1}]).encode()
    data = zipped(
        a__tgn=TAROKY.encode(), b__json=form, c__tgn=TROGGU.encode("utf-16"), d__jpg=PNG, e__csv=b"a;b\n1;2"
    )
    assert reasons(data) == ["good", "key-missing", "good", "table"]
    lines = [entry.line for entry in read(data)]
    assert lines == sorted(lines)
    assert lines[1] == TAROKY.count("\n") + 2
    assert reasons(gzip.compress(TAROKY.encode())) == ["good"]
    mac = zipped(**{"a__tgn": TAROKY.encode(), "__MACOSX/._a__tgn": b"\0\5\x16\7"})
    assert reasons(mac.replace(b"..MACOSX", b"__MACOSX")) == ["good"]


def test_a_packed_file_that_cannot_be_read_has_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = zipped(a__tgn=TAROKY.encode())
    bombs = [zipped(a__tgn=b"\0" * 50_000_000), gzip.compress(b" " * 50_000_000)]
    for data in (zipped(a__jpg=PNG), zipped(), whole[:200], gzip.compress(TAROKY.encode())[:200], *bombs):
        assert reasons(data) == ["packed"]
    monkeypatch.setattr(packed, "MOST_FILES", 1)
    assert reasons(zipped(a__tgn=b"", b__tgn=b"")) == ["packed"]
    office = {"xl/workbook__xml": "table", "word/document__xml": "document"}
    for name, reason in office.items():
        assert reasons(zipped(**{"[Content_Types]__xml": b"", name: b"<x/>"})) == [reason]


def test_empty_chunks_end_nothing() -> None:
    chunks = [b"", TAROKY[:50].encode(), b"", TAROKY[50:].encode(), b""]
    assert b"".join(piece.data for piece in pieces_of(chunks)) == TAROKY.encode()  # type: ignore[misc]


def test_damaged_files_are_answered() -> None:
    """Whatever is cut off, overwritten or inserted: each has an answer, and nothing is raised."""
    sound = [zipped(a__tgn=TAROKY.encode(), b__json=b"[]"), gzip.compress(TAROKY.encode()), *OTHERS]
    sound += [TAROKY.encode(name) for name in ("utf-16", "cp1250")]
    for seed in range(examples(300)):
        rng = random.Random(seed)
        data = bytearray(rng.choice(sound))
        for _ in range(rng.randrange(1, 9)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        assert read(bytes(data[: rng.randrange(1, len(data) + 1)])), seed
