"""Cached and queried data of pages: always the same as if computed again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Deal
from archive.shown import ShownDeal
from replays.deal import analysis
from replays.deal.address import EVERYBODY, OPENED
from tarock.analysis import audit, public_knowledge, replay
from tarock.words.clauses import clause
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


def get(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def forget() -> None:
    """As if the process had just begun."""
    analysis._remembered.cache_clear()


# --- what is remembered -------------------------------------------------------------------------------------


def test_a_step_asks_for_the_deal_alone(
    client: Client, taroky: ShownDeal, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        get(client, f"/deals/{taroky.pk}/replay/?step=20")
    with django_assert_num_queries(2):
        get(client, f"/deals/{taroky.pk}/replay/?step=21&view=B")


def test_an_audit_asks_five_questions(
    client: Client, taroky: ShownDeal, django_assert_num_queries: Any
) -> None:
    """For the deal and who sat there, what there is in the session, the answers before, and those again."""
    with django_assert_num_queries(5):
        get(client, f"/deals/{taroky.pk}/audit/")


def test_a_new_verdict_brings_its_own_lines(client: Client, taroky: ShownDeal) -> None:
    path = f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP}"
    before, after = "taroky.pagat-announced", "taroky.pagat-ultimo"
    assert clause(before).title in Page(get(client, path)).text
    Deal.objects.filter(pk=taroky.pk).update(clauses=taroky.deal.clauses.replace(before, after))
    text = Page(get(client, path)).text
    assert clause(before).title not in text
    assert clause(after).title in text


def test_no_way_to_look_leaves_anything_to_another(client: Client, taroky: ShownDeal) -> None:
    """The same pages in another order, and again from memory, are the same pages."""
    ways = ["", "&view=B", "&view=D", "&hands=none", "&spoilers=off", "&view=B&hands=all", "&view=A&guess=1"]
    asked = [f"/deals/{taroky.pk}/replay/?step={step}{way}" for way in ways for step in (0, 8, 30, 64)]
    first = {address: get(client, address) for address in asked}
    forget()
    for address in reversed(asked):
        assert get(client, address) == first[address]


def test_a_long_record_is_not_kept_in_memory(
    client: Client, taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/deals/{taroky.pk}/replay/?step=30"
    page = get(client, path)
    monkeypatch.setattr(analysis, "LONGEST", 10)
    forget()
    assert get(client, path) == page
    assert analysis._remembered.cache_info().currsize == 0


def test_words_are_remembered_by_language(client: Client, taroky: ShownDeal) -> None:
    path = f"/deals/{taroky.pk}/replay/?step=30"
    pages = {code: get(client, path, **{"accept-language": code}) for code in ("en", "de", "cs", "ja")}
    assert len(set(pages.values())) == 4
    for code, page in pages.items():
        assert f'<html lang="{code}"' in page
        assert get(client, path, **{"accept-language": code}) == page


# --- readers ------------------------------------------------------------------------------------------------


def test_who_is_signed_in_sees_the_same_page_in_a_frame_of_his_own(client: Client, taroky: ShownDeal) -> None:
    signed_in = Client()
    signed_in.force_login(User.objects.create_user("eva"))
    address = f"/deals/{taroky.pk}/audit/"
    own, others = get(signed_in, address), get(client, address)
    assert "eva" in own
    assert "eva" not in others
    part = re.compile(r"<main.*</main>", re.S)
    assert part.findall(own) == part.findall(others)
    assert get(client, address) == others


def test_the_language_switch_leads_back_to_the_very_step(client: Client, taroky: ShownDeal) -> None:
    for step in (20, 21):
        page = Page(get(client, f"/deals/{taroky.pk}/replay/?view=B&step={step}"))
        assert f"/deals/{taroky.pk}/replay/?view=B&step={step}" in page.attributes("value")


# --- questions ----------------------------------------------------------------------------------------------


# --- what went wrong once -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["de", "cs"])
def test_a_drawing_has_decimal_points_in_every_language(
    client: Client, taroky: ShownDeal, language: str
) -> None:
    page = get(client, f"/deals/{taroky.pk}/replay/?step=30", **{"accept-language": language})
    drawing = re.search(r'<svg viewBox="0 0 480 168".*?</svg>', page, re.S)
    assert drawing
    places = re.findall(r' (?:x|y|width|height)="([^"]*)"', drawing[0])
    assert len(places) > 20
    assert all(re.fullmatch(r"-?\d+(\.\d+)?", place) for place in places)
    lines = re.findall(r' d="([^"]*)"', drawing[0])
    assert lines
    assert all(re.fullmatch(r"M\d+ \d+(\.\d+)?H\d+", line) for line in lines)


def test_a_play_can_be_guessed_where_something_may_be_said_before_it(client: Client, store: Store) -> None:
    """Before some tricks of Grosstarock bolé or null may be announced: that is no card to choose."""
    (deal,) = store(samples.as_text(samples.simulated("grosstarock", 3, seed=31)))
    record = deal.record
    said = 0
    for step in range(len(record.events)):
        state = replay.position(record, step, "A")
        if state.phase == "play" and state.turn == "A":
            said += any(choice.startswith("announce") for choice in state.legal)
            page = get(client, f"/deals/{deal.pk}/replay/?view=A&guess=1&step={state.step}")
            assert "pick=announce" not in page
    assert said


@pytest.mark.parametrize("text", [samples.ANNOTATED, samples.ILLEGAL, samples.UNFINISHED])
def test_what_is_remembered_is_what_the_engine_says(store: Store, text: str) -> None:
    (deal,) = store(text)
    remembered, record = analysis.analysis_of(deal), deal.record
    for eyes, view in ((OPENED, None), ("A", "A"), ("D", "D")):
        assert list(remembered.outline(eyes)) == replay.outline(record, view)
        assert remembered.count(eyes) == replay.count(record, view)
    assert list(remembered.outline(EVERYBODY)) == public_knowledge.outline(record)
    assert remembered.count(EVERYBODY) == public_knowledge.count(record)
    for step in (0, samples.FIRST_CARD, samples.FIRST_CARD + 13, samples.LAST_STEP):
        for seen in (False, True):
            assert remembered.account(seen, step).rows == audit.running(record, step, public=seen).rows
