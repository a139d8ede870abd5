"""Phones at a table, in Chromium, and the steps of their histories."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PageError

from archive.models import CHOSEN, Contribution, Evening
from archive.storing import evenings
from replays.site.paths import path
from tarock.view.answers.questions import answer
from tests.archive.test_evenings import points
from tests.browser.conftest import NAMES_OF_MODULES, SAVES_DATA
from tests.seeds.gate import Gate
from tests.seeds.scheduler import Clock, History, Killed, in_words
from tests.seeds.steps import LATER
from tests.seeds.test_histories import Archive

PAGE = """
const tab = `${PHONE}${Math.random()}`;
let open = 0;
const real = window.fetch;
const { setInterval: every } = window;
window.ticks = [];
window.setInterval = (act, time) => (time === 5000 ? window.ticks.push(act) : every(act, time));
window.fetch = (where, how = {}) => {
    const address = String(where);
    const waits = /(setup|deals[/][0-9]+|state[.]json)$/.test(address);
    const asks = window.answered && address.endsWith("/evenings/ask");
    const headers = waits ? { ...how.headers, "X-Tab": tab } : how.headers;
    open += 1;
    const coming = asks
        ? window.answered(how.body).then((text) => new Response(text))
        : real.call(window, where, { ...how, headers });
    return coming.finally(() => (open -= 1));
};
window.look = async () => {
    for (let n = 0; n < 4; n += 1) await new Promise((done) => setTimeout(done, 4));
    return [tab, open, window.evenings && document.getElementById("app")?.childElementCount];
};
const ahead = Number(AHEAD) * 3600000;
if (ahead) {
    const Real = Date;
    window.Date = class extends Real {
        constructor(...given) { given.length ? super(...given) : super(Real.now() + ahead); }
        static now() { return Real.now() + ahead; }
    };
}
window.press = (chosen, number = 0) => {
    const found = [...document.querySelectorAll(chosen)].filter((one) => !one.disabled)[number];
    found?.click();
    return Boolean(found);
};
window.fill = async (lines) => {
    const form = window.page.form;
    form.deal.lines = lines;
    const { players, dealer } = form.deal;
    window.page.reseat({ players, dealer, deals: form.deals }, false);
    await form.chain;
};
const missed = [];
const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, "onmessage");
Object.defineProperty(BroadcastChannel.prototype, "onmessage", {
    set(act) { set.call(this, (event) => (window.deaf ? missed.push(() => act(event)) : act(event))); },
});
window.hear = () => { window.deaf = false; missed.splice(0).forEach((act) => act()); };
const { transaction } = IDBDatabase.prototype;
IDBDatabase.prototype.transaction = function (names, mode, options) {
    if (mode === "readwrite" && window.full) throw new DOMException("", "QuotaExceededError");
    return transaction.call(this, names, mode, options);
};
"""
"""What each page of a phone runs first: requests that wait at the gate name their page; time passes only by
`ticks`; the disk can be full, the clock wrong, and a tab `deaf` to the other until it hears."""

_NAMES = "abcde"
"""Ada's phone, Ben's, a friend's who joined without an account, Ada's second phone, and another friend's."""


class Phone:
    """A phone: a context of the browser with one or two tabs. `saved`: card points of the deals that it has
    called saved, by number, unless its user has changed or deleted them since."""

    def __init__(self, table: Table, name: str) -> None:
        self.table, self.name = table, name
        self.saved: dict[int, int] = {}
        self.complaints: list[str] = []
        self.offline = False
        self.ahead = 0
        self.tabs: list[Page] = []
        self.context: BrowserContext = table.browser.new_context(locale="en-GB")
        self.context.set_default_timeout(30_000)
        self.context.add_cookies(
            [{"name": key, "value": one.value, "url": table.address}
             for key, one in table.clients[name].cookies.items() if one.value]
        )  # fmt: skip
        if not table.with_engine:
            self.context.expose_binding("answered", lambda _source, text: answer(text))
        self.open()
        self.settle()
        # The page works without network once its files are on the phone.
        self.tab.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        if table.with_engine:
            self.tab.evaluate("tarockEngine.prepare().then(() => 1)")

    @property
    def tab(self) -> Page:
        """The tab in front."""
        return self.tabs[-1]

    def open(self, *, reload: bool = False) -> None:
        """Open a page of the evening in a new tab, or load it again."""
        page = self.tab if reload else self.context.new_page()
        if not reload:
            self.tabs.append(page)
            first = PAGE.replace("PHONE", json.dumps(self.name)).replace("AHEAD", str(self.ahead))
            for script in (f"{{{first}}}", NAMES_OF_MODULES, SAVES_DATA):
                page.add_init_script(script)
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(f"{self.table.address}/evenings/#{self.table.key}", wait_until="commit")
        if reload:
            page.reload(wait_until="commit")

    def settle(self) -> None:
        """Wait until the pages wait only for the archive. Answer nothing."""
        self.table.settle([self])

    def run(self, script: str, given: Any = None) -> Any:
        return self.tab.evaluate(script, given)

    def press(self, chosen: str, number: int = 0) -> bool:
        """Press a button, if it is there."""
        pressed: bool = self.run("([chosen, number]) => press(chosen, number)", [chosen, number])
        self.settle()
        return pressed

    def show(self) -> bool:
        """Show the evening. Return whether the phone has it."""
        if not self.tabs:
            self.open()
            self.settle()
        self.run("(key) => { if (location.hash !== `#${key}`) location.hash = `#${key}`; }", self.table.key)
        self.settle()
        return bool(self.run("(key) => window.evenings?.has(key) ?? false", self.table.key))

    def state(self) -> dict[str, Any]:
        """Return the evening as the phone has it."""
        found = self.run("(key) => window.evenings?.get(key) ?? null", self.table.key)
        return found or {"deals": {}, "setup": {}}

    # --- what its user does

    def fill(self, opens: str) -> int:
        """Open the form of a deal, and enter card points that no other deal has. Return the deal's number; 0
        if the page has no such form."""
        if not (self.show() and self.press(opens)) or not self.run("Boolean(window.page.form?.answer)"):
            return 0
        points = self.table.next_points()
        seats = self.run("Object.keys(page.form.deal.players)")
        bidder = self.run("page.form.deal.lines.find(([field]) => field === 'bidder')?.[1] ?? 'A'")
        partner = seats[(seats.index(bidder) + 2) % len(seats)]
        lines = [["contract", "first"], ["bidder", bidder]]
        lines += [["partner", partner], ["points", "bidder", points]]
        self.run("(lines) => fill(lines)", lines)
        self.settle()
        number = self.run("page.form?.n ?? 0")
        self.points = points
        return int(number)

    def note(self, number: int) -> None:
        """Note what the phone says that it has saved."""
        if "has been saved" in self.run("live.hidden ? '' : live.textContent"):
            self.saved[number] = self.points
            self.table.trace.append(f"    {self.name} has saved deal {number} with {self.points} points")


@dataclass
class Table:
    """Phones, and the archive of `Site`. `points`: card points that were entered last; `faults`: of
    each phone's next request; `trace`: what has happened."""

    archive: Archive
    gate: Gate
    browser: Browser
    address: str
    clients: dict[str, Client] = field(default_factory=dict)
    phones: dict[str, Phone] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    with_engine: bool = False
    points: int = 0
    errors: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)
    histories: int = 0

    def __post_init__(self) -> None:
        site = self.site = self.archive.site
        self.scheduler, self.pictures = self.archive.scheduler, self.archive.pictures
        self.key = str(site.evening.key)
        for name, user in zip(_NAMES, (site.ada, site.ben, None, site.ada, None), strict=True):
            client = self.clients[name] = Client()
            if user:
                client.force_login(user)
                client.get(path("evenings"))
            else:
                client.post(path("evening-join", site.link), {"name": f"Friend {name}"})

    def run(self, history: History) -> None:
        """Run a history, repair the phones, and check what they and the archive have."""
        self.histories += 1
        try:
            self.begin(history)
            for number in range(len(history.steps)):
                carry_out(self, history, number)
            self.finish()
            self.check()
        except BaseException as error:
            words = f"A history failed. To replay it: make seeds ARGS=--phones SEED='{history}'"
            error.add_note("\n".join([words, "", *self.trace]))
            raise

    def next_points(self) -> int:
        self.points += 1
        return self.points

    def begin(self, history: History) -> None:
        """Put everything back, and open the phones that the history mentions."""
        self.end()
        self.site.reset(())
        self.points, self.errors = 0, []
        self.faults, self.trace = {}, []
        self.with_engine = "engine" in history.steps
        for name in sorted({step.rpartition("-")[2] for step in history.steps if "-" in step}):
            self.phones[name] = Phone(self, name)
            self.serve_all()

    def end(self) -> None:
        """Take the phones away."""
        self.gate.clear()
        for phone in self.phones.values():
            phone.context.close()
        self.phones = {}
        self.gate.clear()

    def settle(self, phones: list[Phone]) -> None:
        """Wait until all pages of these phones have drawn, and wait only for answers at the gate."""
        for phone in phones:
            for page in phone.tabs:
                quiet = 0
                for _ in range(600):
                    try:
                        tab, requests, drawn = page.evaluate("window.look?.() ?? ['', 1, null]")
                    except PageError:
                        quiet = 0  # the page is being loaded
                        continue
                    quiet = quiet + 1 if requests == self.gate.count(tab) and (drawn or requests) else 0
                    if quiet == 2:
                        break
                else:
                    raise AssertionError(f"the page of phone {phone.name} is never quiet")

    # --- the archive

    def serve(self, history: History, number: int = -1, *, busy: bool = False) -> bool:
        """Let the archive carry out the requests that wait, all at the same time. `busy`: with a worker and
        the sweeper. Return whether there were any."""
        late = {name for name, how in self.faults.items() if how == "cut"}
        for request in self.gate.take(set(_NAMES) - late):
            self.trace.append(f"{request} cut")
            self.faults.pop(request.phone, None)
            self.gate.answer(request, "lost")
        requests = self.gate.take(set())
        actions: list[Callable[[], object]] = [partial(self.gate.carry_out, one) for one in requests]
        names = [str(one) for one in requests]
        if busy:
            actions += [self.site.work, self.site.sweep]
            names += ["work", "sweep"]
        if not actions:
            return False
        fault = None
        if history.fault and history.fault[0] == number:
            fault = (0, *history.fault[1:])
        run = History(tuple(names), history.switches, fault)
        actors = self.scheduler.run(run, actions)
        self.trace += [f"    {names[step]:16} {in_words(point)}" for step, point in self.scheduler.trace]
        for request, actor in zip(requests, actors, strict=False):
            status = request.answer[0] if request.answer else "no answer"
            self.trace.append(f"{request} {status} {self.faults.get(request.phone, '')}")
            if actor.error and not (actor.has_failed and isinstance(actor.error, Killed)):
                raise actor.error
            if not actor.has_failed and status[0] == "5" and status[:3] != "503":
                self.errors.append(f"{request}: {status}")
            self.gate.answer(request, self.faults.pop(request.phone, ""))
        for actor in actors[len(requests) :]:
            if actor.error and not actor.has_failed:
                raise actor.error
        return True

    def serve_all(self) -> None:
        """Let the archive and the phones go on until no phone waits."""
        for _ in range(40):
            self.settle(list(self.phones.values()))
            if not self.serve(History(())):
                return
        raise AssertionError("the phones never stop to send")

    def finish(self) -> None:
        """Repair all phones, and wait until they have sent everything."""
        self.faults.clear()
        self.gate.answer_late()
        self.site.recover()
        for phone in self.phones.values():
            phone.context.set_offline(False)
            phone.offline = False
            for page in phone.tabs:
                page.close()
            phone.tabs.clear()
            phone.open()
        for _ in range(12):
            self.serve_all()
            self.site.recover()
            if not any(one.run("[...evenings.values()].some(hasToSend)") for one in self.phones.values()):
                break
            self.tick()
        self.tick()
        self.serve_all()

    def tick(self) -> None:
        """Let the phones do what they do every few seconds."""
        for phone in self.phones.values():
            for page in phone.tabs:
                page.evaluate("ticks.forEach((act) => act())")

    # --- what holds in the end

    def check(self) -> None:
        """Check that what a phone has called saved is in the archive or on the phone, and nothing twice."""
        assert self.errors == []
        evening = Evening.objects.get()
        there = points(evening)
        rows = Contribution.objects.filter(session=evening.session_id, visibility__in=CHOSEN)
        assert set(Counter(rows.values_list("number", flat=True)).values()) <= {1}
        assert set(Counter(there.values()).values()) <= {1}, "a deal is there twice"
        versions = {row.number: evenings.version(row) for row in rows}
        for phone in self.phones.values():
            assert phone.complaints == [], f"phone {phone.name}"
            entries = {int(n): one for n, one in phone.state()["deals"].items()}
            self.check_saved(phone, entries, there)
            settled = {n: one["version"] for n, one in entries.items() if one["state"] == "sent"}
            unsent = {n for n, one in entries.items() if one["state"] != "sent"}
            expected = {n: version for n, version in versions.items() if n not in unsent}
            assert settled == expected, f"phone {phone.name} shows what the archive has"
        self.check_versions()
        self.archive.check_webhook()
        if self.histories % _SELDOM == 1:
            self.archive.check_all()

    def check_saved(self, phone: Phone, entries: dict[int, Any], there: dict[int, Any]) -> None:
        """Check that the deals that a phone has called saved are in the archive, or on this phone, or were
        changed by somebody who had seen them."""
        seen = {change.base for change in self.gate.accepted}
        for n, value in phone.saved.items():
            own = entries.get(n)
            here = own and own["state"] != "sent" and own["deal"]["lines"][-1][-1] == value
            known = self.gate.versions[n, value]
            assert there.get(n) == value or here or known & seen, (
                f"phone {phone.name} has called deal {n} with {value} points saved; the archive has "
                f"{there.get(n)}, and the phone {own}"
            )

    def check_versions(self) -> None:
        """Check that the archive has accepted only one change of each version."""
        accepted: dict[tuple[str, str], set[str]] = defaultdict(set)
        for change in self.gate.accepted:
            if change.base and change.content:
                accepted[change.path, change.base].add(change.content)
        assert [contents for contents in accepted.values() if len(contents) > 1] == []


_SELDOM = 4
"""Number of histories of which one is also compared row by row. The first is, so each that is replayed."""


# --- steps --------------------------------------------------------------------------------------------------


def _enter(phone: Phone, opens: str = "[data-key=enter]") -> None:
    if number := phone.fill(opens):
        phone.run("live.replaceChildren(); press('[data-key=save]')")
        phone.settle()
        phone.note(number)


def _twins(phone: Phone) -> None:
    """Enter a deal, and change another, in two tabs at the same moment: none hears of the other before."""
    while len(phone.tabs) < 2:
        phone.open()
    numbers = []
    for opens in ("[data-key=enter]", "[data-key='deal 1']"):
        number = phone.fill(opens)
        numbers.append((number, phone.tab, phone.points if number else 0))
        phone.tabs.reverse()
    for page in phone.tabs:
        page.evaluate("window.deaf = true")
    for number, page, _ in numbers:
        if number and len({n for n, *_ in numbers}) == 2:
            page.evaluate("live.replaceChildren(); press('[data-key=save]')")
    phone.settle()
    for page in phone.tabs:
        page.evaluate("hear()")
    phone.settle()
    for number, page, entered in numbers:
        if number and "has been saved" in page.evaluate("live.hidden ? '' : live.textContent"):
            phone.saved[number] = entered


def _remove(phone: Phone) -> None:
    """Delete the newest deal."""
    if phone.show() and phone.press(".deals-now a[data-key^=deal]"):
        number = phone.run("window.page.form?.n ?? 0")
        if phone.press(".existing .danger"):
            phone.saved.pop(number, None)


def _undo(phone: Phone) -> None:
    """Take back what was done last."""
    shown = phone.run("live.hidden ? '' : live.textContent") if phone.tabs else ""
    if phone.tabs and phone.press("#live button") and "saved" in shown:
        phone.saved = {n: points for n, points in phone.saved.items() if f"Deal {n} " not in shown}


def _decide(phone: Phone, *, which: int) -> None:
    """Decide between what two phones have entered: the first button keeps the own one."""
    if not phone.show():
        return
    conflicts = [n for n, entry in phone.state()["deals"].items() if entry["state"] == "conflict"]
    if phone.press(".conflict .choices button", which) and which and conflicts:
        phone.saved = {n: points for n, points in phone.saved.items() if str(n) not in conflicts}


def _set_stake(phone: Phone) -> None:
    if phone.show() and phone.press("[data-key=table]"):
        stake = f"0.{phone.table.next_points():02}"
        phone.run(
            """(stake) => {
                const field = document.querySelector("[data-key=stake]");
                field.value = stake;
                field.dispatchEvent(new Event("change"));
            }""",
            stake,
        )
        phone.press("[data-key=save]")


def _network(phone: Phone, *, offline: bool) -> None:
    phone.offline = offline
    phone.context.set_offline(offline)


def _reload(phone: Phone) -> None:
    if phone.tabs:
        phone.tab.reload(wait_until="commit")
    else:
        phone.open()


def _kill(phone: Phone) -> None:
    """The browser ends all pages of the phone, at any moment."""
    for page in phone.tabs:
        page.close(run_before_unload=False)
    phone.tabs.clear()


def _die_while_saving(phone: Phone) -> None:
    """The page is killed as soon as it has said that a deal is saved."""
    if number := phone.fill("[data-key=enter]"):
        phone.run("""() => new Promise((done) => {
            live.replaceChildren();
            new MutationObserver(done).observe(live, { childList: true });
            setTimeout(done, 3000);
            press('[data-key=save]');
        }).then(() => 1)""")
        phone.note(number)
        _kill(phone)


def _evict(phone: Phone) -> None:
    """The browser deletes what pages have stored. What the archive has not is lost, unless a page is open."""
    if not phone.tabs:
        return
    cdp = phone.context.new_cdp_session(phone.tab)
    kinds = {"origin": phone.table.address, "storageTypes": "indexeddb,cache_storage"}
    cdp.send("Storage.clearDataForOrigin", kinds)
    cdp.detach()
    phone.saved.clear()


def _clock(phone: Phone) -> None:
    """The clock of the phone is wrong by hours from its next page on."""
    phone.ahead = -7 if phone.ahead else 30
    _kill(phone)
    phone.open()


def _tab(phone: Phone) -> None:
    if len(phone.tabs) < 2:
        phone.open()
    else:
        phone.tabs.reverse()


STEPS: dict[str, Callable[[Phone], object]] = {
    "enter": _enter,
    "change": partial(_enter, opens="[data-key='deal 1']"),
    "twins": _twins,
    "remove": _remove,
    "undo": _undo,
    "mine": partial(_decide, which=0),
    "theirs": partial(_decide, which=1),
    "stake": _set_stake,
    "end": lambda phone: phone.show() and phone.press("[data-key=end]"),
    "offline": partial(_network, offline=True),
    "online": partial(_network, offline=False),
    "reload": _reload,
    "kill": _kill,
    "die": _die_while_saving,
    "full": lambda phone: [page.evaluate("() => { window.full = true; }") for page in phone.tabs],
    "space": lambda phone: [page.evaluate("() => { window.full = false; }") for page in phone.tabs],
    "evict": _evict,
    "clock": _clock,
    "tab": _tab,
    "cut": lambda phone: phone.table.faults.update({phone.name: "cut"}),
    "lose": lambda phone: phone.table.faults.update({phone.name: "lost"}),
    "late": lambda phone: phone.table.faults.update({phone.name: "late"}),
    "tick": lambda phone: phone.tabs and not phone.offline and phone.run("ticks?.forEach((act) => act())"),
}
"""Steps of a phone, in a seed with the phone's letter, as `enter-a`. `cut`: the phone's next request doesn't
arrive; `lose`: its answer doesn't; `late`: its answer comes at the end, or at the step `arrive`."""

MACHINERY = ("serve", "serve", "serve", "busy", "work", "hours", "arrive", "release")
"""Steps of the archive. `serve`: it carries out all requests that wait, at the same time; `busy`: a worker
and the sweeper run, too; `release`: a new version of the site replaces its files."""


def carry_out(table: Table, history: History, number: int) -> None:
    """Carry out a step of a history."""
    name, _, letter = history.steps[number].partition("-")
    table.trace.append(f"{number} {history.steps[number]}")
    if letter:
        phone = table.phones[letter]
        try:
            STEPS[name](phone)
        except PageError:
            if not phone.offline:  # then a page that is not on the phone can't be loaded
                raise
    elif name in ("serve", "busy"):
        table.serve(history, number, busy=name == "busy")
    elif name == "work":
        table.site.work()
    elif name == "hours":
        Clock.ahead += LATER
    elif name == "arrive":
        table.gate.answer_late()
    elif name == "release":
        table.gate.release += 1
    table.settle(list(table.phones.values()))
