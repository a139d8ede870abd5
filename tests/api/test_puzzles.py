"""Puzzles over the API: the list, page by page, and one with its solution."""

import pytest

from archive.models import Attempt, Puzzle
from tests.support import samples
from tests.support.storing import puzzle_of

pytestmark = pytest.mark.django_db


def test_public_puzzles_are_listed_newest_first(reader, writer, alena, borek, store) -> None:
    texts = [samples.TAROKY, *(samples.as_text([one]) for one in samples.simulated("taroky", 4, 3))]
    first, second, third, hidden = (puzzle_of(store(text, user=alena).pk) for text in texts)
    hidden.deal.contributions.update(visibility="members")
    Puzzle.objects.filter(pk=second.pk).update(theme="result")
    Attempt.objects.create(puzzle=first, user=alena, first_right=False)
    Attempt.objects.create(puzzle=first, user=borek, first_right=True)
    for query, pages in (
        ("limit=2", [[third, second], [first]]), ("limit=3", [[third, second, first]]),
        ("theme=points&limit=1", [[third], [first]]), ("game=troggu", [[]]),
    ):  # fmt: skip
        address, seen = f"http://testserver/api/v1/puzzles?{query}", []
        while address:
            page = writer.get(address).json()
            seen.append([row["id"] for row in page["results"]])
            address = page["next"]
        assert seen == [[one.pk for one in page] for page in pages], query
    assert [client.ask(f"puzzles/{hidden.pk}").status_code for client in (reader, writer)] == [404, 200]
    found = reader.ask(f"puzzles/{first.pk}").json()
    assert (found["composed"], found["tried"], found["failed"]) == (False, 2, 1)
    assert found["record"]["players"] == dict(zip("ABCD", "ABCD", strict=True))
    rows = [(row["card"], row["loss"], row["line"][:2]) for row in found["choices"]]
    assert rows == [("CJ", 0, ["CJ", "T16"]), ("SQ", 5, ["SQ", "T16"])]
