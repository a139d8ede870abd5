"""Score sheets without cards on the pages: their own page, lists, sessions, and where cards are missed."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Session, Space
from archive.shown import ShownDeal
from replays.home.notation_page import sheet_samples
from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check, check_entry
from tarock.notation import read, read_one, write_text
from tests import samples
from tests.samples import DISPUTED_SHEET, SHEET, SHEET_LACKING, SHEET_THAT_CANNOT_BE
from tests.storing import deal_of, shown, stored

from .conftest import Page, text_of

pytestmark = pytest.mark.django_db

MISSING_PLAY = "The play of this deal was not recorded. There is only its score sheet."


def page_of(client: Client, deal: ShownDeal) -> str:
    return text_of(client, f"/deals/{deal.key}/audit/")


def with_cards(text: str) -> str:
    """The specification's deal with the session, date, number and players of these sheets."""
    record = replace(read_one(text), players=read_one(SHEET).players)
    return write_text(
        replace(record, tags=record.tags | {"Session": "June", "Date": "2026-06-05", "Deal": "7"})
    )


# --- the page of a sheet ------------------------------------------------------------------------------------


def test_a_sheet_has_its_score_line_by_line_with_clauses(client: Client) -> None:
    """Game 60 - 35 = 25, pagat 20 with flek and re 20 x 4 = 80, tarocky 5: 110 from each opponent."""
    deal = deal_of(SHEET)
    answer = client.get(f"/deals/{deal.key}/")
    assert answer["Location"] == f"/deals/{deal.key}/audit/"
    text = page_of(client, deal)
    assert "Computed The score follows from the score sheet. The play was not recorded." in text
    assert "Bidder’s side: 60 − 35 = 25" in text
    for slug in ("taroky.game", "taroky.pagat-announced", "taroky.hand-tarocky"):
        assert slug in text
    assert "+110" in text
    assert "the deal of the evening" in text
    assert "Annotator Petr" in text
    assert "Verification history" in text


def test_what_was_written_down_stands_there_field_by_field(client: Client) -> None:
    deal = deal_of(SHEET)
    written = client.get(f"/deals/{deal.key}/audit/").context["sheet"].written
    assert [(row.name, row.value) for row in written] == [
        ("Contract", "First Duty"),
        ("Bidder", "Alena"),
        ("Partner", "Dana"),
        ("Card points, bidder’s side", "60"),
        ("Declared, Alena", "Tarocky (eight or nine tarocks)"),
        ("Double, pagat, re (×4)", "Alena"),
        ("Pagat", "announced, Alena, made"),
    ]
    assert not any(row.wrong for row in written)


def test_a_field_that_is_only_there_is_a_yes(client: Client) -> None:
    """Surrendered: 10 to each of the others from a bidder of a First Duty."""
    text = SHEET[: SHEET.index("sheet partner")].replace("A=110 B=-110 C=-110 D=110", "A=-30 B=10 C=10 D=10")
    deal = deal_of(text + "sheet surrendered\n")
    assert deal.contribution.verdict == "computed"
    rows = client.get(f"/deals/{deal.key}/audit/").context["sheet"].written
    assert (rows[-1].name, rows[-1].value) == ("Surrendered", "yes")


def test_no_way_leads_from_a_sheet_to_a_replay_or_certificate(client: Client) -> None:
    deal = deal_of(SHEET)
    links = Page(client.get(f"/deals/{deal.key}/audit/").content.decode()).attributes("href")
    own = [link for link in links if link.startswith(f"/deals/{deal.pk}")]
    assert not [link for link in own if "replay" in link or "print" in link or "certificate" in link]
    assert f"/deals/{deal.key}/deal.tgn" in own
    assert f"/deals/{deal.key}/deal.json" in own


@pytest.mark.parametrize("page", ["replay/", "frames.json", "embed/", "position.png", "print/"])
def test_where_the_play_is_needed_the_page_says_that_it_was_not_recorded(client: Client, page: str) -> None:
    deal = deal_of(SHEET)
    answer = client.get(f"/deals/{deal.key}/{page}")
    assert answer.status_code == 404
    assert MISSING_PLAY in Page(answer.content.decode()).text
    other = client.get(f"/deals/{deal.pk + 1}/{page}")
    assert MISSING_PLAY not in Page(other.content.decode()).text


def test_other_sites_are_not_given_a_sheet_to_embed(client: Client) -> None:
    deal = deal_of(SHEET)
    answer = client.get("/oembed", {"url": f"http://testserver/deals/{deal.key}/audit/"})
    assert answer.status_code == 404


def test_a_disputed_sheet_shows_the_claim_and_the_difference(client: Client) -> None:
    """110 by the rules, 105 written down: the 5 of the tarocky were left out."""
    deal = deal_of(DISPUTED_SHEET)
    text = page_of(client, deal)
    said = "The score that follows from the other lines of the sheet differs from the one written down."
    assert said in text
    assert "Written down, and by the rules" in text
    assert "A Alena +105 +110 −5" in text
    assert "What would explain the difference" in text
    assert "was left out." in text


def test_a_miscount_that_would_explain_the_claim_is_named(client: Client) -> None:
    """59 - 35 = 24 and 24 + 80 + 5 = 109 by the sheet; 110 would be 60 points."""
    deal = deal_of(SHEET.replace("bidder 60", "bidder 59"))
    text = page_of(client, deal)
    assert "A Alena +110 +109 +1" in text
    slips = text[text.index("What would explain the difference") :]
    assert re.search("Card points, bidder’s side: 60.*Card points, bidder’s side: 59", slips)


def test_what_cannot_be_stands_at_its_field_with_its_clause(client: Client) -> None:
    deal = deal_of(SHEET_THAT_CANNOT_BE)
    rows = client.get(f"/deals/{deal.key}/audit/").context["sheet"].written
    (wrong,) = [row for row in rows if row.wrong]
    assert "71" in wrong.value
    assert {one.clause for one in wrong.wrong} == {"taroky.card-points"}
    text = page_of(client, deal)
    assert "By the rules of the game, this score sheet is impossible." in text
    assert "The score, line by line" not in text


def test_what_is_missing_stands_there_as_a_field_without_a_value(client: Client) -> None:
    deal = deal_of(SHEET_LACKING)
    rows = client.get(f"/deals/{deal.key}/audit/").context["sheet"].written
    (lacking,) = [row for row in rows if row.wrong]
    assert not lacking.value
    assert "Something is missing on the sheet, so the score can’t be computed." in page_of(client, deal)


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_a_sheet_stands_in_every_language(client: Client, language: str) -> None:
    for number, text in enumerate((DISPUTED_SHEET, SHEET_THAT_CANNOT_BE, SHEET_LACKING), start=1):
        deal = deal_of(text.replace('[Deal "7"]', f'[Deal "{number}"]'))
        answer = client.get(f"/deals/{deal.key}/audit/", headers={"accept-language": language})
        assert answer.status_code == 200
        assert not Page(answer.content.decode()).unsafe


# --- the sheet and the cards --------------------------------------------------------------------------------


def test_with_the_cards_there_the_sheet_is_compared_with_them(client: Client) -> None:
    """The cards give 60 points and the hands of A and B; the sheet has 58."""
    sheet = deal_of(DISPUTED_SHEET.replace("bidder 60", "bidder 58"))
    played = deal_of(with_cards(samples.TAROKY))
    assert Contribution.objects.get(deal=sheet.pk).visibility == "covered"
    text = page_of(client, sheet)
    assert "The cards of this deal were recorded, too. The score from the cards counts." in text
    for deal in (sheet, played):
        text = page_of(client, deal)
        assert "The score sheet of the table" in text
        assert "58" in text
        compared = client.get(f"/deals/{deal.key}/audit/").context["about"].compared
        assert compared.sheet.deal_id == sheet.pk
        assert compared.played.deal_id == played.pk
        assert [(row.name, row.sheet, row.cards) for row in compared.differing] == [
            ("Card points, bidder’s side", ["58"], ["60"]),
            ("Declared, Bob", [], ["Barvičky (one or two tarocks)"]),
        ]
    assert f"№ {sheet.pk}" not in text_of(client, "/deals/")


def test_a_deal_without_a_sheet_has_no_such_section(client: Client, taroky: ShownDeal) -> None:
    assert "The score sheet of the table" not in page_of(client, taroky)


# --- lists --------------------------------------------------------------------------------------------------


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


def test_players_have_the_points_of_their_sheets(client: Client) -> None:
    deal = deal_of(SHEET)
    alena = deal.seats[0].player
    text = text_of(client, f"/players/{alena.pk}/")
    assert "+110" in text
    other = deal.seats[3].player
    assert "On one side" in text_of(client, f"/players/{alena.pk}/?with={other.pk}")
    assert "Alena" in text_of(client, "/leaderboard/?game=taroky&least=1")


def test_the_front_page_counts_them(client: Client) -> None:
    deal_of(SHEET)
    assert "Computed 1" in text_of(client, "/")


def test_the_front_page_has_the_newest_sent_by_members(client: Client, alena: User) -> None:
    stored(SHEET, user=alena)
    deal = shown(Deal.objects.get())
    assert f"№ {deal.pk} sheet" in text_of(client, "/")


# --- sending, checking, correcting --------------------------------------------------------------------------


def test_the_upload_page_takes_sheets_mixed_with_deals(client: Client) -> None:
    texts = SHEET, samples.TAROKY, SHEET_THAT_CANNOT_BE.replace('[Deal "7"]', '[Deal "8"]')
    answer = client.post("/upload/", {"text": "\n".join(texts)}, follow=True)
    html = answer.content.decode()
    text = Page(html).text
    assert "3 deals stored" in text
    assert "Computed" in text
    replays = [link for link in Page(html).attributes("href") if link.endswith("/replay/")]
    assert len(replays) == 1, "that of the deal with cards"


def test_the_check_shows_the_score_of_a_sheet_and_its_findings_by_line(client: Client) -> None:
    good = Page(client.post("/check/", {"text": SHEET}).content.decode()).text
    assert "Computed" in good
    assert "+110" in good
    bad = Page(client.post("/check/", {"text": SHEET_THAT_CANNOT_BE}).content.decode()).text
    line = SHEET_THAT_CANNOT_BE.split("\n").index("sheet points bidder 71") + 1
    assert f"Line {line}, column" in bad
    assert "taroky.card-points" in bad


def test_its_sender_corrects_a_sheet_in_the_editor(signed_in: Client) -> None:
    """58 - 35 = 23, 23 + 80 + 5 = 108."""
    signed_in.post("/upload/", {"text": SHEET})
    deal = shown(Deal.objects.get())
    edit = f"/deals/{deal.key}/edit/"
    assert "the score is computed again" in text_of(signed_in, edit)
    changed = SHEET.replace("bidder 60", "bidder 58").replace("110", "108")
    answer = signed_in.post(edit, {"text": changed, "action": "send"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/deals/{deal.key}/audit/"
    text = Page(answer.content.decode()).text
    assert "Your correction is saved." in text
    assert "Bidder’s side: 58 − 35 = 23" in text
    corrections = text[text.index("Corrections") :]
    assert "Score sheet" in corrections
    assert re.search("60.*58", corrections)
    assert "Alena" not in corrections, "only what is another now"


def test_what_was_sent_later_is_adopted(signed_in: Client) -> None:
    """58 - 35 = 23, 23 + 80 + 5 = 108."""
    signed_in.post("/upload/", {"text": SHEET})
    changed = SHEET.replace("bidder 60", "bidder 58").replace("110", "108")
    answer = signed_in.post("/upload/", {"text": changed}, follow=True)
    page = Page(answer.content.decode())
    assert "You sent this deal before with other details: score sheet, score written down." in page.text
    (adopt,) = [action for action in page.attributes("action") if action.endswith("/adopt/")]
    text = Page(signed_in.post(adopt, follow=True).content.decode()).text
    assert "Your latest version now counts." in text
    assert "Bidder’s side: 58 − 35 = 23" in text
    assert "Computed" in text


def test_a_sheet_is_not_corrected_to_the_place_of_another(signed_in: Client) -> None:
    signed_in.post("/upload/", {"text": SHEET + "\n" + SHEET.replace('[Deal "7"]', '[Deal "8"]')})
    deal = shown(Deal.objects.earliest("pk"))
    taken = "There is another score sheet with this session and number."
    changed = SHEET.replace('[Deal "7"]', '[Deal "8"]')
    answer = signed_in.post(f"/deals/{deal.key}/edit/", {"text": changed, "action": "send"})
    assert answer.status_code == 409
    assert taken in Page(answer.content.decode()).text
    form = {f"name_{seat}": name for seat, name in deal.players.items()}
    form |= {f"claim_{seat}": str(points) for seat, points in (deal.score or {}).items()}
    answer = signed_in.post(
        f"/deals/{deal.key}/correct/", form | {"Session": "June", "Date": "2026-06-05", "Deal": "8"}
    )
    assert answer.status_code == 400
    assert taken in Page(answer.content.decode()).text


def test_a_sheet_for_members_is_seen_by_no_other(
    signed_in: Client, other: Client, club: Space, alena: User
) -> None:
    stored(SHEET, user=alena, space=club, visibility="members")
    deal = shown(Deal.objects.get())
    assert signed_in.get(f"/deals/{deal.key}/audit/").status_code == 200
    for page in ("", "audit/", "deal.tgn", "deal.json", "replay/"):
        answer = other.get(f"/deals/{deal.key}/{page}")
        assert answer.status_code == 404
        assert MISSING_PLAY not in Page(answer.content.decode()).text, "nobody learns that there is one"
    assert "June" not in text_of(other, "/deals/?kind=sheet")
    assert other.get(f"/sessions/{Session.objects.get().pk}/").status_code == 404


# --- sheets to copy -----------------------------------------------------------------------------------------


def test_the_sheets_to_copy_are_those_of_real_deals() -> None:
    """Each can be read again, and scores what the deal with its cards does."""
    for sample in sheet_samples():
        entry = read(sample.text)[0]
        assert entry.record is not None
        assert entry.record.game == sample.game
        found = check_entry(entry)
        assert found.verdict == "computed"
        assert found.score == found.claim
        assert sheet_of(entry.record) == entry.record
        assert check(entry.record).lines
        fields = {row.written.split()[0] for row in sample.fields}
        assert {str(line[0]) for line in entry.record.sheet or ()} <= fields


def test_the_fields_of_a_sheet_are_explained(client: Client) -> None:
    text = text_of(client, "/notation/sheets/")
    assert "Level sheet level 1–3 Contract: Troika no" in text
    assert "Partner sheet partner alone|seat Contract: Take, Solo; Number of players: 7, 8 no" in text
    assert "sheet declare seat tarocks:N|matadors:N" in text
    assert "cavallery:S|half-cavallery:S|queens|cavaliers|jacks|ladons:N … always yes" in text


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_the_page_with_sheets_to_copy_stands_in_every_language(client: Client, language: str) -> None:
    answer = client.get("/notation/sheets/", headers={"accept-language": language})
    assert answer.status_code == 200
    page = Page(answer.content.decode())
    assert page.text.count("[TGN") == 4
    for way in ("/notation/", "/upload/"):
        links = Page(client.get(way).content.decode()).attributes("href")
        assert "/notation/sheets/" in links
