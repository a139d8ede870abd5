"""An evening as phones send it: setups, deals, and the answers of the site."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.test import Client

NAMES = ("Alena", "Bob", "Cyril", "Dana")


class Phone:
    """The page at the table on one phone: a browser, and the evening that it is at."""

    def __init__(self, client: Client, key: str = "") -> None:
        self.client, self.key = client, key or str(uuid.uuid4())

    def setup(self, **changes: Any) -> dict[str, Any]:
        return {
            "key": self.key, "space": None, "name": "2026-11-24", "game": "taroky", "seats": 4, "options": [],
            "date": "2026-11-24", "place": "Hlučín", "table": list(NAMES), "dealer": "Dana", "thrown_in": [],
            "counts_thrown_in": False, "stake": "", "currency": "", "ended": False, "visibility": "public",
            "version": 0, "rules": "",
        } | changes  # fmt: skip

    def put(self, where: str, body: Any, key: str = "") -> Any:
        return self._send("PUT", where, body, key)

    def _send(self, method: str, where: str, body: Any, key: str = "") -> Any:
        return self.raw(method, where, body if isinstance(body, str) else json.dumps(body), key)

    def raw(self, method: str, where: str, text: str | bytes, key: str = "") -> Any:
        """Send a text or bytes to an address of the evening."""
        headers = {"Idempotency-Key": key} if key else {}
        address = f"/evenings/{self.key}/{where}"
        return self.client.generic(method, address, text, content_type="application/json", headers=headers)

    def start(self, **changes: Any) -> dict[str, Any]:
        """Start the evening; its setup as it is then."""
        answer = self.put("setup", self.setup(**changes))
        assert answer.status_code == 201, answer.content
        found: dict[str, Any] = answer.json()["setup"]
        return found

    def change(self, setup: dict[str, Any], **changes: Any) -> Any:
        return self.put("setup", setup | changes)

    def enter(self, number: int, deal: dict[str, Any], base: str = "", key: str = "", **more: Any) -> Any:
        """Enter a deal, or change the version ``base`` of it."""
        return self.put(f"deals/{number}", {"deal": deal | {"n": number}, "base": base, **more}, key)

    def withdraw(self, number: int, base: str, key: str = "") -> Any:
        return self._send("DELETE", f"deals/{number}", {"base": base}, key)

    def state(self) -> dict[str, Any]:
        answer = self.client.get(f"/evenings/{self.key}/state.json")
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def deals(self) -> dict[int, dict[str, Any]]:
        return {deal["n"]: deal for deal in self.state()["deals"]}


def first_duty(points: int = 60, **changes: Any) -> dict[str, Any]:
    """A First Duty of Alena with Dana; without changes 60 - 35 = 25 for each of them."""
    lines = [["contract", "first"], ["bidder", "A"], ["partner", "D"], ["points", "bidder", points]]
    players = dict(zip("ABCD", NAMES, strict=True))
    return {"players": players, "dealer": "D", "options": [], "lines": lines, "comment": ""} | changes


def error(answer: Any) -> tuple[int, str, str]:
    """Status, code and field of an error."""
    found = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert found["detail"]
    assert found["status"] == answer.status_code
    return answer.status_code, found["code"], (found["where"] or {}).get("pointer") or ""
