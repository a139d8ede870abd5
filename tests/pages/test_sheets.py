"""Score sheets without cards, and results, records of points alone, on the pages: their own page, lists,
sessions, corrections, and where cards are missed."""

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
from archive.storing import spaces, sums
from replays.home.notation_page import sheet_samples
from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check, check_entry
from tarock.notation import read, read_one, write_text
from tarock.words.clauses import clause
from tests.archive.test_results import TOTAL, result
from tests.archive.test_sheets import sheet
from tests.engine.sheet_sample import SHEET as SLIP_SHEET
from tests.support import samples
from tests.support.samples import DISPUTED_SHEET, SHEET, SHEET_LACKING, SHEET_THAT_CANNOT_BE
from tests.support.storing import deal_of, shown, stored

from .conftest import Page, missing, page_at, page_of, text_of
from .test_corrections import fields_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

MISSING_PLAY = "The play of this deal was not recorded. There is only its score sheet."


def audit(client: Client, deal: ShownDeal) -> str:
    return text_of(client, f"/deals/{deal.key}/audit/")


def with_cards(text: str) -> str:
    """The specification's deal with the session, date, number and players of these sheets."""
    record = replace(read_one(text), players=read_one(SHEET).players)
    tags = record.tags | {"Session": "June", "Date": "2026-06-05", "Deal": "7"}
    return write_text(replace(record, tags=tags))


def numbered(text: str, number: int) -> str:
    return text.replace('[Deal "7"]', f'[Deal "{number}"]')


def written(client: Client, deal: ShownDeal) -> list[Any]:
    rows: list[Any] = client.get(f"/deals/{deal.key}/audit/").context["written"]
    return rows


def test_a_sheet_has_what_was_written_down_and_its_score_line_by_line(client: Client) -> None:
    """Game 60 - 35 = 25, pagat 20 with flek and re 20 x 4 = 80, tarocky 5: 110 from each opponent."""
    deal = deal_of(SHEET)
    assert client.get(f"/deals/{deal.key}/")["Location"] == f"/deals/{deal.key}/audit/"
    text = audit(client, deal)
    verdict = "Computed The score follows from the score sheet. The play was not recorded."
    titles = ("The game", "The Pagat announced", "Tarocky: eight or nine tarocks")
    assert missing(text, verdict, "Bidder’s side: 60 − 35 = 25", *titles, "+110") == []
    assert missing(text, "the deal of the evening", "Annotator Petr", "Verification history") == []
    rows = written(client, deal)
    assert [(row.name, row.value) for row in rows] == [
        ("Contract", "First Duty"), ("Bidder", "Alena"), ("Partner", "Dana"),
        ("Card points, bidder’s side", "60"), ("Declared, Alena", "Tarocky (eight or nine tarocks)"),
        ("Double, pagat, re (×4)", "Alena"), ("Pagat", "announced, Alena, made"),
    ]  # fmt: skip
    assert not any(row.wrong for row in rows)
    # Surrendered: 10 to each of the others from a bidder of a First Duty.
    text = SHEET[: SHEET.index("sheet partner")].replace("A=110 B=-110 C=-110 D=110", "A=-30 B=10 C=10 D=10")
    deal = deal_of(numbered(text, 8) + "sheet surrendered\n")
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
    told = (
        "The score that follows from the other lines of the sheet differs from the one written down.",
        "The score written down, and the score by the rules", "A Alena +105 +110 −5",
        "What would explain the difference", "was left out.",
    )  # fmt: skip
    assert missing(audit(client, deal_of(DISPUTED_SHEET)), *told) == []


def test_what_is_wrong_with_a_sheet_is_shown_at_its_field(client: Client) -> None:
    """With its clause; a field that is missing without a value."""
    deal = deal_of(SHEET_THAT_CANNOT_BE)
    (wrong,) = [row for row in written(client, deal) if row.wrong]
    assert "71" in wrong.value
    assert {one.clause for one in wrong.wrong} == {"taroky.card-points"}
    text = audit(client, deal)
    assert "By the rules of the game, this score sheet is impossible." in text
    assert "The score, line by line" not in text
    deal = deal_of(numbered(SHEET_LACKING, 8))
    (lacking,) = [row for row in written(client, deal) if row.wrong]
    assert not lacking.value
    assert "Something is missing from the sheet, so the score can’t be computed." in audit(client, deal)


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
    sheet, query = deal_of(SHEET), "/deals/?kind="
    for address, deals in (
        ("/deals/", {taroky.pk, sheet.pk}), (f"{query}played", {taroky.pk}), (f"{query}sheet", {sheet.pk}),
    ):  # fmt: skip
        assert {deal.pk for deal in client.get(address).context["page"]} == deals
    assert f"№ {sheet.pk} sheet" in text_of(client, f"{query}sheet")
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
    played = numbered(samples.TAROKY, 1).replace("2026-11-20 table 2", "June")
    stored(played.replace("2026-11-20", "2026-06-05"), *(numbered(SHEET, number) for number in (7, 8, 10)))
    here = f"/sessions/{Session.objects.get().pk}/"
    text = text_of(client, here)
    assert text.count(" sheet ") == 3
    assert "Alena +435" in text
    assert "From score sheets, without cards: 7–8, 10." in text_of(client, f"{here}print/")
    table = client.get(f"{here}session.csv").content.decode("utf-8-sig")
    rows = [(row["kind"], row["card_points"]) for row in csv.DictReader(io.StringIO(table))]
    assert rows == [("played", "60:10"), *[("sheet", "60:10")] * 3]


def test_the_upload_page_takes_sheets_mixed_with_deals(client: Client) -> None:
    texts = SHEET, samples.TAROKY, numbered(SHEET_THAT_CANNOT_BE, 8)
    page = Page(client.post("/upload/", {"text": "\n".join(texts)}, follow=True).text)
    assert missing(page.text, "3 deals stored", "Computed") == []
    replays = [link for link in page.attributes("href") if link.endswith("/replay/")]
    assert len(replays) == 1, "that of the deal with cards"
    # The check shows the score, and findings by their line.
    assert missing(Page(client.post("/check/", {"text": SHEET}).text).text, "Computed", "+110") == []
    bad = Page(client.post("/check/", {"text": SHEET_THAT_CANNOT_BE}).text).text
    line = SHEET_THAT_CANNOT_BE.split("\n").index("sheet points bidder 71") + 1
    assert missing(bad, f"Line {line}, column", clause("taroky.card-points").title) == []


def test_its_sender_corrects_a_sheet_in_the_editor(signed_in: Client) -> None:
    """58 - 35 = 23, 23 + 80 + 5 = 108."""
    changed = SHEET.replace("bidder 60", "bidder 58").replace("110", "108")
    signed_in.post("/upload/", {"text": SHEET})
    page = Page(signed_in.post("/upload/", {"text": changed}, follow=True).text)
    assert "different details: score sheet or points, score written down." in page.text
    deal = shown(Deal.objects.get())
    edit = f"/deals/{deal.key}/edit/"
    assert "the score is computed again" in text_of(signed_in, edit)
    answer = signed_in.post(edit, {"text": changed, "action": "send"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/deals/{deal.key}/audit/"
    text = Page(answer.text).text
    assert missing(text, "Your correction has been saved.", "Bidder’s side: 58 − 35 = 23") == []
    corrections = text[text.index("Corrections") :]
    assert "Score sheet" in corrections
    assert re.search("60.*58", corrections)
    assert "Alena" not in corrections, "only what is another now"


def test_a_sheet_is_edited_in_the_form_of_an_evening_or_as_text(signed_in: Client) -> None:
    """A sheet that came as text gets an evening that has ended, so that the form can show it. If two tables
    of a session have a deal 7, the number does not say which is meant."""
    signed_in.post("/upload/", {"text": f"{SHEET}\n{numbered(SHEET, 8)}"})
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

    other = replace(read_one(SHEET), players={"A": "Emil", "B": "Fanny", "C": "Gerd", "D": "Hana"})
    texts = [SHEET.replace("June", "July"), write_text(other).replace("June", "July")]
    signed_in.post("/upload/", {"text": "\n".join(texts)})
    deal = shown(Deal.objects.latest("pk"))
    assert signed_in.post(f"/deals/{deal.key}/form/").url == f"/deals/{deal.key}/edit/"
    assert Evening.objects.count() == 1


def test_a_sheet_is_not_corrected_to_the_place_of_another(signed_in: Client) -> None:
    eighth = numbered(SHEET, 8)
    signed_in.post("/upload/", {"text": f"{SHEET}\n{eighth}"})
    deal = shown(Deal.objects.earliest("pk"))
    form = {"Session": "June", "Date": "2026-06-05", "Deal": "8"}
    form |= {f"name_{seat}": name for seat, name in deal.players.items()}
    form |= {f"claim_{seat}": str(points) for seat, points in (deal.score or {}).items()}
    for page, sent, status in (("edit", {"text": eighth, "action": "send"}, 409), ("correct", form, 400)):
        answer = signed_in.post(f"/deals/{deal.key}/{page}/", sent)
        assert answer.status_code == status
        assert "There is already another record with this session and deal number." in Page(answer.text).text


def test_a_sheet_for_members_is_hidden(signed_in: Client, other: Client, club: Space, alena: User) -> None:
    stored(SHEET, user=alena, space=club, visibility="members")
    deal = shown(Deal.objects.get())
    assert signed_in.get(f"/deals/{deal.key}/audit/").status_code == 200
    assert signed_in.get(f"/deals/{deal.key}/sheet.png").status_code == 404, "that is for other sites"
    assert "og:title" not in signed_in.get(f"/deals/{deal.key}/audit/").text
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
        found = check_entry(entry)
        assert (entry.record.game, found.verdict, found.score) == (game, "computed", found.claim)
        assert sheet_of(entry.record) == entry.record
        assert check(entry.record).lines
        fields = {written.split()[0] for written, *_more in rows}
        assert {str(line[0]) for line in entry.record.sheet or ()} <= fields


def test_the_page_with_sheets_to_copy(client: Client) -> None:
    text = text_of(client, "/notation/sheets/")
    assert text.count("[TGN") == 4
    rows = (
        "Level sheet level 1–3 Contract: Troika no",
        "Partner sheet partner alone|seat Contract: Take, Solo; Number of players: 7, 8 no",
        "sheet declare seat tarocks:N|matadors:N",
        "cavallery:S|half-cavallery:S|queens|cavaliers|jacks|ladons:N … always yes",
    )
    assert missing(text, *rows) == []
    for way in ("/notation/", "/upload/"):
        assert "/notation/sheets/" in page_at(client, way).attributes("href")


def test_a_slip_is_named(client: Client) -> None:
    """The sheet scores 25 + 80 + 5 − 5 = 105: what each of the two gets by the score written down, and the
    slip."""
    no_slip = "No single slip explains the difference."
    for number, (each, sentence) in enumerate(
        (
            (106, "Points miscounted: the score written down fits “Card points, bidder’s side: 61”, not"),
            (55, "Points swapped: the score written down fits “Card points, bidder’s side: 10”, not “"),
            (-55, "not “Pagat: announced, Alena, made”."), (185, "is added."),
            (65, "The score written down fits without “"), (999, no_slip),
        ), start=1
    ):  # fmt: skip
        claim = f"A={each} B={-each} C={-each} D={each}"
        text = numbered(SLIP_SHEET.replace("A=105 B=-105 C=-105 D=105", claim), number)
        told = audit(client, deal_of(text))
        assert sentence in told
        assert (no_slip in told) == (each == 999)


# --- results ------------------------------------------------------------------------------------------------


def test_the_page_of_a_result_says_that_nobody_has_checked_it(client: Client) -> None:
    deal = deal_of(result("{ From the book. }\n" + TOTAL))
    told = ("These points were written down. Nobody has checked them.", "Alena +45", "Emil −45")
    assert missing(text_of(client, f"/deals/{deal.key}/"), *told, "From the book.", "deal 7", "Taroky") == []
    for page in ("audit/", "replay/", "frames.json", "embed/", "print/"):
        for number, there in ((deal.pk, True), (deal.pk + 1, False)):
            text = page_of(client.get(f"/deals/{number}/{page}"), 404).text
            assert ("Only the points of this deal are known" in text) == there, page


def test_a_total_of_sixty_players_is_listed_and_shown(client: Client) -> None:
    lines = "".join(f'result {n} "Player {n}"\n' for n in range(1, 61))
    deal = deal_of(result(lines, None, "?", Played="24"))
    text = text_of(client, f"/deals/{deal.key}/")
    assert missing(text, "Total of an evening", "Player 60", "Played 24", "Unknown game") == []
    assert missing(text_of(client, "/deals/?verdict=stated"), "Player 8", "52 more players", "Stated") == []
    session = deal.contribution.session_id
    for page in ("", "print/", "session.csv"):
        assert client.get(f"/sessions/{session}/{page}").status_code == 200, page


def test_a_better_record_is_linked_from_the_result(client: Client) -> None:
    space = Space.objects.create(kind="club", name="Kotva", visibility="public")
    stored(result(), sheet(60), space=space)
    row = Contribution.objects.get(deal__kind="result")
    text = text_of(client, f"/deals/{row.key}/")
    assert missing(text, "This deal was recorded better. These points don’t count.") == []
    audit = text_of(client, f"/deals/{row.replaced_by.key}/audit/")
    assert "The score sheet" not in audit
    # Nobody corrected the result, so the page of its upload doesn't say so.
    sent = client.post("/upload/", {"text": f"{result()}\n{sheet(60)}"}, follow=True).text
    assert ("2 deals stored" in sent, "Corrected" in sent) == (True, False)


def test_names_and_points_of_a_result_are_corrected_in_a_form(client: Client, alena: User) -> None:
    club = spaces.found_club("Tarok", by=alena)
    deal = deal_of(result(), space=club, user=alena)
    client.force_login(alena)
    form = fields_of(client, f"/deals/{deal.key}/correct/")
    assert (form["name_1"], form["claim_1"]) == ("Alena", "20")
    sent = form | {"name_2": "Bohumil", "claim_2": "-19"}
    assert client.post(f"/deals/{deal.key}/correct/", sent).status_code == 302
    text = text_of(client, f"/deals/{deal.key}/")
    change = "Score sheet or points Czech Taroky: +20, −20 Czech Taroky: +20, −19"
    assert missing(text, "Bohumil −19", change) == []
    assert client.post(f"/deals/{deal.key}/correct/", sent | {"claim_1": ""}).status_code == 400


@pytest.fixture
def evening(alena: User) -> Space:
    """A club with a sheet (Alena 25), a result (Alena 1) and the total of another evening (Alena 45)."""
    club = spaces.found_club("Tarok", by=alena)
    stored(sheet(60, 1), result('result 1 "Alena"\nresult -1 "Emil"\n', 2), space=club, user=alena)
    stored(result(TOTAL, None, Played="24").replace("June", "May"), space=club, user=alena)
    sums.settle()
    return club


def test_tables_of_a_club_count_everything_and_the_leaderboard_does_not(
    client: Client, evening: Space
) -> None:
    """Alena: 25 + 1 + 45 = 71 in 1 + 1 + 24 deals, of which 46 points in 25 deals are only stated."""
    stated = "Alena only stated: +46 (25 deals) +71"
    season = f"/clubs/{evening.pk}/season/"
    for page in (f"/clubs/{evening.pk}/?season=all", f"{season}?game=taroky"):
        assert missing(text_of(client, page), stated, "Only cards", "Cards and score sheets") == [], page
        text = text_of(client, f"{page}&count=computed")
        assert missing(text, "Alena +25") == [], page
        assert "only stated:" not in text
    assert missing(text_of(client, "/leaderboard/?game=taroky&least=1"), "Alena", "+25") == []
    assert "only stated:" not in text_of(client, "/leaderboard/?game=taroky&least=1")
    assert missing(text_of(client, "/leaderboard/?game=taroky&least=1&count=all"), stated) == []
    for query, points in (("", "71"), ("&count=computed", "25")):
        lines = client.get(f"{season}season.csv?game=taroky{query}").getvalue().decode("utf-8-sig")
        (row,) = [row for row in csv.DictReader(io.StringIO(lines)) if row["player"] == "Alena"]
        assert (row["total"], row["stated_points"]) == (points, "46" if points == "71" else "0")


def test_the_statistics_of_a_club_are_about_games_with_scored_deals(client: Client, evening: Space) -> None:
    stored(result(TOTAL, None, "?", Played="99").replace("June", "April"), space=evening)
    sums.settle()
    pages = [client.get(f"/clubs/{evening.pk}/{page}/") for page in ("season", "statistics")]
    games = [[game for game, _name in page.context["form"].fields["game"].choices] for page in pages]
    assert games == [["?", "taroky"], ["taroky"]]


def test_a_session_has_one_switch_and_shows_its_totals(client: Client, evening: Space, alena: User) -> None:
    may, june = (Session.objects.get(name=name).pk for name in ("May", "June"))
    text = text_of(client, f"/sessions/{may}/")
    assert missing(text, "Alena only stated: +45 (24 deals) +45", "Nobody has checked them.") == []
    file = client.get(f"/sessions/{may}/session.csv?stake=1").getvalue().decode("utf-8-sig")
    *_others, total = csv.reader(io.StringIO(file))
    assert (total[8:10], total[-6:]) == (["stated", "result"], ["45", "", "", "-45", "", ""])
    text = text_of(client, f"/sessions/{june}/")
    assert missing(text, "Everything Cards and score sheets Only cards", "only stated: +1 (1 deal)") == []
    assert "only stated" not in text_of(client, f"/sessions/{june}/?count=computed")
    assert "count=computed" in client.get(f"/sessions/{june}/?count=computed").text
    nothing = result('result 0 "Alena"\n', 2)
    stored(sheet(60, 1).replace("June", "May"), nothing.replace("June", "May"), space=evening)
    text = text_of(client, f"/sessions/{may}/")
    assert "Running totals" not in text, "they lead to other points than those that count"
    assert missing(text, "until the deals add up to it", "Alena +45 +25 +20", "Emil −45 0 −45") == []
    lines = client.get(f"/sessions/{may}/session.csv").getvalue().decode("utf-8-sig")
    assert [row["kind"] for row in csv.DictReader(io.StringIO(lines))] == ["sheet", "result", "result"]
    for page in ("print/", "session.png"):
        assert client.get(f"/sessions/{may}/{page}").status_code == 200
    # Only people who may change the total can let the deals count instead.
    total = Contribution.objects.get(deal__kind="result", number=None)
    page, button = f"/deals/{total.deal_id}/", "Count the deals of the evening instead"
    assert button not in text_of(client, page)
    assert client.post(f"{page}count/", {"deals": "1"}).status_code == 404
    client.force_login(alena)
    assert button in text_of(client, page)
    assert client.post(f"{page}count/", fields_of(client, page) | {"deals": "1"}).status_code == 302
    told = "The deals count instead of this total."
    assert missing(text_of(client, page), told, "Count this total again") == []
    assert missing(text_of(client, f"/sessions/{may}/"), told, "Alena +45 +25 +20") == []
    assert client.post(f"{page}count/", fields_of(client, page) | {"deals": "0"}).status_code == 302
    assert button in text_of(client, page)
