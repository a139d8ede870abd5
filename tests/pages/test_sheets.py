"""Score sheets without cards on the pages: their own page, lists, sessions, and where cards are missed."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Evening, Session, Space
from archive.shown import ShownDeal
from replays.home.notation_page import sheet_samples
from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check, check_entry
from tarock.notation import read, read_one, write_text
from tarock.words.clauses import clause
from tests.engine.sheet_sample import SHEET as SLIP_SHEET
from tests.support import samples
from tests.support.samples import DISPUTED_SHEET, SHEET, SHEET_LACKING, SHEET_THAT_CANNOT_BE
from tests.support.storing import deal_of, shown, stored

from .conftest import Page, missing, page_at, page_of, text_of

pytestmark = pytest.mark.django_db

MISSING_PLAY = "The play of this deal was not recorded. There is only its score sheet."


def audit(client: Client, deal: ShownDeal) -> str:
    return text_of(client, f"/deals/{deal.key}/audit/")


def with_cards(text: str) -> str:
    """The specification's deal with the session, date, number and players of these sheets."""
    record = replace(read_one(text), players=read_one(SHEET).players)
    return write_text(
        replace(record, tags=record.tags | {"Session": "June", "Date": "2026-06-05", "Deal": "7"})
    )


def written(client: Client, deal: ShownDeal) -> list[Any]:
    rows: list[Any] = client.get(f"/deals/{deal.key}/audit/").context["written"]
    return rows


def test_a_sheet_has_its_score_line_by_line_with_clauses(client: Client) -> None:
    """Game 60 - 35 = 25, pagat 20 with flek and re 20 x 4 = 80, tarocky 5: 110 from each opponent."""
    deal = deal_of(SHEET)
    assert client.get(f"/deals/{deal.key}/")["Location"] == f"/deals/{deal.key}/audit/"
    text = audit(client, deal)
    verdict = "Computed The score follows from the score sheet. The play was not recorded."
    titles = ("The game", "The Pagat announced", "Tarocky: eight or nine tarocks")
    assert missing(text, verdict, "Bidder’s side: 60 − 35 = 25", *titles, "+110") == []
    assert missing(text, "the deal of the evening", "Annotator Petr", "Verification history") == []


def test_what_was_written_down_is_shown_field_by_field(client: Client) -> None:
    rows = written(client, deal_of(SHEET))
    assert [(row.name, row.value) for row in rows] == [
        ("Contract", "First Duty"),
        ("Bidder", "Alena"),
        ("Partner", "Dana"),
        ("Card points, bidder’s side", "60"),
        ("Declared, Alena", "Tarocky (eight or nine tarocks)"),
        ("Double, pagat, re (×4)", "Alena"),
        ("Pagat", "announced, Alena, made"),
    ]
    assert not any(row.wrong for row in rows)
    # Surrendered: 10 to each of the others from a bidder of a First Duty.
    text = SHEET[: SHEET.index("sheet partner")].replace("A=110 B=-110 C=-110 D=110", "A=-30 B=10 C=10 D=10")
    deal = deal_of(text.replace('[Deal "7"]', '[Deal "8"]') + "sheet surrendered\n")
    assert deal.contribution.verdict == "computed"
    assert [(row.name, row.value) for row in written(client, deal)][-1] == ("Surrendered", "yes")


def test_where_the_play_is_needed_the_page_says_that_it_was_not_recorded(client: Client) -> None:
    deal = deal_of(SHEET)
    links = page_at(client, f"/deals/{deal.key}/audit/").attributes("href")
    own = [link for link in links if link.startswith(f"/deals/{deal.pk}")]
    assert not [link for link in own if "replay" in link or "certificate" in link]
    assert {f"/deals/{deal.key}/deal.tgn", f"/deals/{deal.key}/deal.json"} <= {*own}
    for page in ("replay/", "frames.json", "position.png"):
        for number, there in ((deal.pk, True), (deal.pk + 1, False)):
            text = page_of(client.get(f"/deals/{number}/{page}"), 404).text
            assert (MISSING_PLAY in text) == there, page


def test_other_pages_can_embed_the_points_of_a_sheet(client: Client) -> None:
    deal = deal_of(SHEET)
    page = page_at(client, f"/deals/{deal.key}/audit/")
    found = next(attrs["href"] for _, attrs in page.tags if attrs.get("type") == "application/json+oembed")
    answer = client.get(found or "").json()
    assert f'src="http://testserver/deals/{deal.key}/embed/"' in answer["html"]
    assert (answer["width"], answer["thumbnail_width"]) == (800, 1200)
    picture = client.get(answer["thumbnail_url"])
    assert picture["Content-Type"] == "image/png"
    assert "thumbnail_url" not in client.get(f"{found}&maxwidth=900").json()
    assert "Alena" in page_at(client, f"/deals/{deal.key}/embed/").text


def test_a_disputed_sheet_shows_the_claim_and_the_difference(client: Client) -> None:
    """110 by the rules, 105 written down: the 5 of the tarocky were left out."""
    text = audit(client, deal_of(DISPUTED_SHEET))
    said = "The score that follows from the other lines of the sheet differs from the one written down."
    assert (
        missing(text, said, "The score written down, and the score by the rules", "A Alena +105 +110 −5")
        == []
    )
    assert missing(text, "What would explain the difference", "was left out.") == []


def test_what_is_wrong_with_a_sheet_is_shown_at_its_field(client: Client) -> None:
    """With its clause; a field that is missing without a value."""
    deal = deal_of(SHEET_THAT_CANNOT_BE)
    (wrong,) = [row for row in written(client, deal) if row.wrong]
    assert "71" in wrong.value
    assert {one.clause for one in wrong.wrong} == {"taroky.card-points"}
    text = audit(client, deal)
    assert "By the rules of the game, this score sheet is impossible." in text
    assert "The score, line by line" not in text
    deal = deal_of(SHEET_LACKING.replace('[Deal "7"]', '[Deal "8"]'))
    (lacking,) = [row for row in written(client, deal) if row.wrong]
    assert not lacking.value
    assert "Something is missing from the sheet, so the score can’t be computed." in audit(client, deal)


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_a_sheet_stands_in_every_language(client: Client, language: str) -> None:
    for number, text in enumerate((DISPUTED_SHEET, SHEET_THAT_CANNOT_BE, SHEET_LACKING), start=1):
        deal = deal_of(text.replace('[Deal "7"]', f'[Deal "{number}"]'))
        page = page_at(client, f"/deals/{deal.key}/audit/", headers={"accept-language": language})
        assert not page.unsafe


def test_with_the_cards_there_the_sheet_is_compared_with_them(client: Client) -> None:
    """The cards give 60 points and the hands of A and B; the sheet has 58."""
    sheet = deal_of(DISPUTED_SHEET.replace("bidder 60", "bidder 58"))
    played = deal_of(with_cards(samples.TAROKY))
    assert Contribution.objects.get(deal=sheet.pk).visibility == "covered"
    said = "The cards of this deal were recorded, too. The score from the cards counts."
    assert said in audit(client, sheet)
    for deal in (sheet, played):
        assert missing(audit(client, deal), "The table’s score sheet", "58") == []
        compared = client.get(f"/deals/{deal.key}/audit/").context["about"].compared
        assert (compared.sheet.deal_id, compared.played.deal_id) == (sheet.pk, played.pk)
        assert compared.differing == [
            ("Card points, bidder’s side", ["58"], ["60"]),
            ("Declared, Bob", [], ["Barvičky (one or two tarocks)"]),
        ]
    assert "The table’s score sheet" not in audit(client, deal_of(samples.TROGGU))
    assert f"№ {sheet.pk}" not in text_of(client, "/deals/")


def test_lists_have_sheets_marked_and_are_searched_by_kind(client: Client, taroky: ShownDeal) -> None:
    sheet = deal_of(SHEET)
    found = {
        kind: [deal.pk for deal in client.get("/deals/", {"kind": kind} if kind else {}).context["page"]]
        for kind in ("", "played", "sheet")
    }
    assert sorted(found[""]) == sorted([taroky.pk, sheet.pk])
    assert found["played"] == [taroky.pk]
    assert found["sheet"] == [sheet.pk]
    assert f"№ {sheet.pk} sheet" in text_of(client, "/deals/?kind=sheet")
    assert f"№ {taroky.pk} sheet" not in text_of(client, "/deals/")


def test_the_front_page_and_players_have_the_sheets_of_members(client: Client, alena: User) -> None:
    deal = deal_of(SHEET, user=alena)
    assert missing(text_of(client, "/"), f"№ {deal.pk} sheet") == []
    player, other = deal.seats[0].player, deal.seats[3].player
    assert "+110" in text_of(client, f"/players/{player.pk}/")
    assert "On one side" in text_of(client, f"/players/{player.pk}/?with={other.pk}")
    assert "Alena" in text_of(client, "/leaderboard/?game=taroky&least=1")


def test_a_session_and_its_protocol_say_which_deals_are_sheets(client: Client) -> None:
    """Played 105 in deal 1, by the sheets 110 in deals 7, 8 and 10: 105 + 3 x 110 = 435 for Alena."""
    deal_of(
        samples.TAROKY.replace('[Deal "7"]', '[Deal "1"]')
        .replace("2026-11-20 table 2", "June")
        .replace("2026-11-20", "2026-06-05")
    )
    for number in (7, 8, 10):
        deal_of(SHEET.replace('[Deal "7"]', f'[Deal "{number}"]'))
    session = Session.objects.get()
    text = text_of(client, f"/sessions/{session.pk}/")
    assert text.count(" sheet ") == 3
    assert "Alena +435" in text
    protocol = text_of(client, f"/sessions/{session.pk}/print/")
    assert "From score sheets, without cards: 7–8, 10." in protocol
    table = client.get(f"/sessions/{session.pk}/session.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["kind"] for row in rows] == ["played", "sheet", "sheet", "sheet"]
    assert [row["card_points"] for row in rows] == ["60:10"] * 4


def test_the_upload_page_takes_sheets_mixed_with_deals(client: Client) -> None:
    texts = SHEET, samples.TAROKY, SHEET_THAT_CANNOT_BE.replace('[Deal "7"]', '[Deal "8"]')
    page = Page(client.post("/upload/", {"text": "\n".join(texts)}, follow=True).text)
    assert missing(page.text, "3 deals stored", "Computed") == []
    replays = [link for link in page.attributes("href") if link.endswith("/replay/")]
    assert len(replays) == 1, "that of the deal with cards"
    # The check shows the score, and findings by their line.
    assert missing(Page(client.post("/check/", {"text": SHEET}).text).text, "Computed", "+110") == []
    bad = Page(client.post("/check/", {"text": SHEET_THAT_CANNOT_BE}).text).text
    line = SHEET_THAT_CANNOT_BE.split("\n").index("sheet points bidder 71") + 1
    assert missing(bad, f"Line {line}, column", clause("taroky.card-points").title) == []


CHANGED = SHEET.replace("bidder 60", "bidder 58").replace("110", "108")
"""58 - 35 = 23, 23 + 80 + 5 = 108."""


def test_its_sender_corrects_a_sheet_in_the_editor(signed_in: Client) -> None:
    signed_in.post("/upload/", {"text": SHEET})
    deal = shown(Deal.objects.get())
    edit = f"/deals/{deal.key}/edit/"
    assert "the score is computed again" in text_of(signed_in, edit)
    answer = signed_in.post(edit, {"text": CHANGED, "action": "send"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/deals/{deal.key}/audit/"
    text = Page(answer.text).text
    assert missing(text, "Your correction has been saved.", "Bidder’s side: 58 − 35 = 23") == []
    corrections = text[text.index("Corrections") :]
    assert "Score sheet" in corrections
    assert re.search("60.*58", corrections)
    assert "Alena" not in corrections, "only what is another now"


def test_a_sheet_is_edited_in_the_form_of_an_evening(signed_in: Client) -> None:
    """A sheet that came as text gets an evening that has ended, so that the form can show it."""
    eighth = SHEET.replace('[Deal "7"]', '[Deal "8"]')
    signed_in.post("/upload/", {"text": f"{SHEET}\n{eighth}"})
    first, second = map(shown, Deal.objects.order_by("pk"))
    answer = signed_in.post(f"/deals/{first.key}/form/")
    evening = Evening.objects.get()
    assert answer.url == f"/evenings/#{evening.key}/7"
    assert signed_in.post(f"/deals/{second.key}/form/").url == f"/evenings/#{evening.key}/8"
    state = signed_in.get(f"/evenings/{evening.key}/state.json").json()
    assert [deal["n"] for deal in state["deals"]] == [7, 8]
    assert state["setup"] | {"ended": True, "table": [*first.players.values()]} == state["setup"]
    assert "Edit the record as text" in audit(signed_in, first)
    # Nobody else finds it, and it is not what the next evening begins with if that is a later day's.
    assert Client().post(f"/deals/{first.key}/form/").status_code == 404
    assert Client().get(f"/evenings/{evening.key}/state.json").status_code == 401


def test_a_sheet_that_no_form_can_show_is_edited_as_text(signed_in: Client) -> None:
    """Two tables of a session have a deal 7, so the number does not say which is meant."""
    other = (
        SHEET.replace("Alena", "Emil")
        .replace("Bob", "Fanny")
        .replace("Cyril", "Gerd")
        .replace("Dana", "Hana")
    )
    signed_in.post("/upload/", {"text": f"{SHEET}\n{other}"})
    deal = shown(Deal.objects.earliest("pk"))
    assert signed_in.post(f"/deals/{deal.key}/form/").url == f"/deals/{deal.key}/edit/"
    assert not Evening.objects.exists()


def test_what_was_sent_later_is_adopted(signed_in: Client) -> None:
    signed_in.post("/upload/", {"text": SHEET})
    page = Page(signed_in.post("/upload/", {"text": CHANGED}, follow=True).text)
    assert "different details: score sheet or points, score written down." in page.text
    (adopt,) = [action for action in page.attributes("action") if action.endswith("/adopt/")]
    text = Page(signed_in.post(adopt, follow=True).text).text
    assert missing(text, "Your latest version now counts.", "Bidder’s side: 58 − 35 = 23", "Computed") == []


def test_a_sheet_is_not_corrected_to_the_place_of_another(signed_in: Client) -> None:
    eighth = SHEET.replace('[Deal "7"]', '[Deal "8"]')
    signed_in.post("/upload/", {"text": f"{SHEET}\n{eighth}"})
    deal = shown(Deal.objects.earliest("pk"))
    form = {"Session": "June", "Date": "2026-06-05", "Deal": "8"}
    form |= {f"name_{seat}": name for seat, name in deal.players.items()}
    form |= {f"claim_{seat}": str(points) for seat, points in (deal.score or {}).items()}
    for page, sent, status in (
        ("edit", {"text": eighth, "action": "send"}, 409),
        ("correct", form, 400),
    ):
        answer = signed_in.post(f"/deals/{deal.key}/{page}/", sent)
        assert answer.status_code == status
        assert "There is already another record with this session and deal number." in Page(answer.text).text


def test_a_sheet_for_members_is_hidden(signed_in: Client, other: Client, club: Space, alena: User) -> None:
    stored(SHEET, user=alena, space=club, visibility="members")
    deal = shown(Deal.objects.get())
    assert signed_in.get(f"/deals/{deal.key}/audit/").status_code == 200
    for page in ("", "audit/", "deal.tgn", "deal.json", "replay/"):
        text = page_of(other.get(f"/deals/{deal.key}/{page}"), 404).text
        assert MISSING_PLAY not in text, "nobody learns that there is one"
    assert "June" not in text_of(other, "/deals/?kind=sheet")
    assert other.get(f"/sessions/{Session.objects.get().pk}/").status_code == 404


def test_the_sheets_to_copy_are_those_of_real_deals() -> None:
    """Each can be read again, and scores what the deal with its cards does."""
    for game, text, rows in sheet_samples():
        entry = read(text)[0]
        assert entry.record is not None
        assert entry.record.game == game
        found = check_entry(entry)
        assert found.verdict == "computed"
        assert found.score == found.claim
        assert sheet_of(entry.record) == entry.record
        assert check(entry.record).lines
        fields = {written.split()[0] for written, *_more in rows}
        assert {str(line[0]) for line in entry.record.sheet or ()} <= fields


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_the_page_with_sheets_to_copy(client: Client, language: str) -> None:
    text = text_of(client, "/notation/sheets/", headers={"accept-language": language})
    assert text.count("[TGN") == 4
    for way in ("/notation/", "/upload/"):
        assert "/notation/sheets/" in page_at(client, way).attributes("href")
    if language == "en":
        rows = (
            "Level sheet level 1–3 Contract: Troika no",
            "Partner sheet partner alone|seat Contract: Take, Solo; Number of players: 7, 8 no",
            "sheet declare seat tarocks:N|matadors:N",
            "cavallery:S|half-cavallery:S|queens|cavaliers|jacks|ladons:N … always yes",
        )
        assert missing(text, *rows) == []


def slip_page(client: Client, each: int, language: str = "en") -> str:
    text = SLIP_SHEET.replace('"A=105 B=-105 C=-105 D=105"', f'"A={each} B={-each} C={-each} D={each}"')
    client.cookies["django_language"] = language
    return text_of(client, f"/deals/{deal_of(text).key}/audit/")


NO_SLIP = "No single slip explains the difference."
#: The sheet scores 25 + 80 + 5 - 5 = 105: what each of the two gets by the score written down, and the slip.
SLIPS = [
    (106, "en", "Points miscounted: the score written down fits “Card points, bidder’s side: 61”, not “Card"),
    (55, "en", "Points swapped: the score written down fits “Card points, bidder’s side: 10”, not “"),
    (-55, "en", "not “Pagat: announced, Alena, made”."),
    (185, "en", "is added."),
    (65, "en", "The score written down fits without “"),
    (999, "en", NO_SLIP),
    (106, "de", "Verzählt: Das aufgeschriebene Ergebnis passt zu „"),
    (106, "cs", "Špatně spočítané body: zapsané skóre vychází s „"),
    (106, "ja", "点の数え違い：書かれた得点は「"),
]


@pytest.mark.parametrize(("each", "language", "sentence"), SLIPS)
def test_a_slip_is_named(client: Client, each: int, language: str, sentence: str) -> None:
    text = slip_page(client, each, language)
    assert sentence in text
    assert (NO_SLIP in text) == (each == 999)
