"""Measures of a page: barriers that axe finds, its width, the size of its buttons, its sheets of paper."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, FloatRect, Locator, Page

_SHEET = re.compile(rb"/Type\s*/Page\b(?!s)")


def complaints_of(page: Page) -> list[str]:
    """Return a list to which each failure of a script and each line of warning on the console is added."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


_AXE = """async ([within, onlyColours]) => {
    const part = within ? document.querySelector(within) : document.documentElement;
    const signs = new Map();
    const sign = (one) => {
        if (!one) return "";
        if (!signs.has(one)) {
            const style = getComputedStyle(one);
            const own = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight",
                "textDecorationLine", "position", "visibility"].map((name) => style[name]);
            const off = one.matches(":disabled, [aria-disabled=true], [aria-hidden=true]");
            signs.set(one, `${sign(one.parentElement)}/${one.localName} ${own} ${off}`);
        }
        return signs.get(one);
    };
    const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const different = new Map();
    for (const one of part.querySelectorAll("*")) {
        if ((hasText(one) || one.matches("input, select, textarea")) && one.checkVisibility()) {
            different.set(sign(one), [...(different.get(sign(one)) ?? []), one]);
        }
    }
    const length = (one) => one.textContent.trim().length;
    const longest = [...different.values()].flatMap((alike) =>
        alike.sort((one, other) => length(other) - length(one)).slice(0, 3));
    const how = { resultTypes: ["violations"], preload: false };
    const colours = ["color-contrast", "link-in-text-block"];
    const others = Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]));
    const found = longest.length
        ? await axe.run({ include: longest }, { ...how, runOnly: colours })
        : { violations: [] };
    const more = onlyColours ? { violations: [] } : await axe.run(part, { ...how, rules: others });
    return [...found.violations, ...more.violations];
}"""
"""axe's findings. Texts that look the same, up to the root of the page, have the same contrast, so axe
measures only the three longest of them; it can't judge a single character, or a text that something covers.
Measuring all texts of a long list took most of its time."""


def violations(page: Page, *, only_colours: bool = False, within: str | None = None) -> list[str]:
    """Return axe's findings, one per line, on the page or within a part of it. `only_colours`: for another
    colour scheme, in which the other rules find the same."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(_AXE, [within, only_colours])
    return [f"{v['id']}: {v['help']}: {[n['html'][:160] for n in v['nodes'][:3]]}" for v in found]


def sticking_out(page: Page) -> list[str]:
    """Return tables that are wider than their panel and can't be scrolled."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".panel table")].filter((table) =>
                !table.closest(".table-scroll, details:not([open])") && table.getBoundingClientRect().right
                    > table.closest(".panel").getBoundingClientRect().right - 1
            ).map((table) => table.outerHTML.slice(0, 120))"""
    )
    return found


def fits(page: Page) -> bool:
    """Whether nobody has to scroll sideways."""
    size = page.viewport_size
    return size is not None and page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def sheets(page: Page, address: str) -> int:
    """How many pages a page takes on paper."""
    page.goto(address)
    page.emulate_media(media="print")
    return len(_SHEET.findall(page.pdf(prefer_css_page_size=True)))


def look_closely(page: Page, *, axe: bool = True) -> None:
    """No barrier, nothing wider than a small screen, and nothing to tap that is too small for a thumb."""
    assert not axe or violations(page) == []
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, a[href], summary, input)")]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
        .filter(([_text, box]) => box.width < 43.5 || box.height < 43.5)
        .map(([text]) => text)"""
    )
    assert not small, small
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 320, "height": size["height"]})
    assert fits(page)
    page.set_viewport_size(size)


def box_of(part: Locator) -> FloatRect:
    """Return the position of the first such part, which must exist."""
    box = part.first.bounding_box()
    assert box is not None
    return box


def cut_off(page: Page) -> list[str]:
    """Buttons, links of the menu, labels and headings whose text is wider than the place they have."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(
                "button, .button, .main-nav a, th, dt, h1, h2, h3, label, .badge"
            )].filter((e) => e.offsetWidth > 1 && e.scrollWidth > e.offsetWidth + 1
                && getComputedStyle(e).textOverflow !== "ellipsis" && !e.closest(".visually-hidden"))
            .map((e) => e.outerHTML.slice(0, 120))"""
    )
    return found
