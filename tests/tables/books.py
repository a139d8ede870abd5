"""Small spreadsheets for tests, written cell by cell."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from xml.sax.saxutils import escape, quoteattr

Value = str | int | float | date | None
_TYPES = """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml"
 ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"""
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def xlsx(sheets: Mapping[str, Sequence[Sequence[Value]]], from_1904: bool = False, hidden: str = "") -> bytes:
    """An XLSX file. A text that begins with `=` is a formula: `=SUM(B2:B3)|12` has the cached value 12.
    `hidden`: name of the hidden sheet."""
    start = f'<Relationship Id="r1" Type="{_REL}/officeDocument" Target="xl/workbook.xml"/>'
    files = {"[Content_Types].xml": _TYPES, "_rels/.rels": _relations(start)}
    listed, related = "", ""
    for number, (name, rows) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name == hidden else ""
        listed += f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="r{number}"{state}/>'
        target = f'Target="worksheets/sheet{number}.xml"'
        related += f'<Relationship Id="r{number}" Type="{_REL}/worksheet" {target}/>'
        files[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows, from_1904)
    related += f'<Relationship Id="styles" Type="{_REL}/styles" Target="styles.xml"/>'
    properties = '<workbookPr date1904="1"/>' if from_1904 else ""
    spaces = f'xmlns="{_MAIN}" xmlns:r="{_REL}"'
    files["xl/workbook.xml"] = f"<workbook {spaces}>{properties}<sheets>{listed}</sheets></workbook>"
    files["xl/_rels/workbook.xml.rels"] = _relations(related)
    files["xl/styles.xml"] = (
        f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
        "</styleSheet>"
    )
    return _zipped(files)


def far_corner() -> bytes:
    """An XLSX file with two cells as far apart as possible."""
    files = xlsx({"Sheet1": [["Anna"]]})
    cell = f'<worksheet xmlns="{_MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
    cell += '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
    with zipfile.ZipFile(io.BytesIO(files)) as packed:
        content = {name: packed.read(name).decode() for name in packed.namelist()}
    return _zipped({**content, "xl/worksheets/sheet1.xml": cell})


def ods(rows: Sequence[Sequence[Value]], name: str = "Tabelle1") -> bytes:
    """An ODS file with one sheet."""
    kinds = "urn:oasis:names:tc:opendocument:xmlns:"
    body = "".join("<table:table-row>" + "".join(map(_ods_cell, row)) + "</table:table-row>" for row in rows)
    spaces = f'xmlns:office="{kinds}office:1.0" xmlns:table="{kinds}table:1.0" xmlns:text="{kinds}text:1.0"'
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f"<table:table table:name={quoteattr(name)}>{body}</table:table>"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = f'<manifest:manifest xmlns:manifest="{kinds}manifest:1.0"/>'
    return _zipped({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


def _ods_cell(value: Value) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, date):
        return f'<table:table-cell office:value-type="date" office:date-value="{value.isoformat()}"/>'
    if isinstance(value, str):
        text = f"<text:p>{escape(value)}</text:p>"
        return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}"/>'


def _relations(listed: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}">{listed}</Relationships>'


def _sheet(rows: Sequence[Sequence[Value]], from_1904: bool) -> str:
    written = ""
    for number, row in enumerate(rows, 1):
        cells = "".join(_cell(f"{chr(65 + at)}{number}", value, from_1904) for at, value in enumerate(row))
        written += f'<row r="{number}">{cells}</row>'
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{written}</sheetData></worksheet>'


def _cell(place: str, value: Value, from_1904: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, date):
        days = (value - (date(1904, 1, 1) if from_1904 else date(1899, 12, 30))).days
        return f'<c r="{place}" s="1"><v>{days}</v></c>'
    if isinstance(value, str) and value.startswith("="):
        formula, _, cached = value[1:].partition("|")
        return f'<c r="{place}"><f>{escape(formula)}</f><v>{cached}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def _zipped(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return packed.getvalue()
