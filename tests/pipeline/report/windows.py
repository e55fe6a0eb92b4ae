"""Pages in windows of a real browser, and what can be seen and struck there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE = 120_000.0
"""Milliseconds in which a page must load, beside other tests."""
PHONE, TABLET, DESK = 375, 800, 1400
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe that depend on colours."""


@cache
def _context(browser: Browser, **how: Any) -> BrowserContext:
    """A browser's context of these settings, whose empty page keeps the process that shows its pages."""
    context = browser.new_context(**how)
    context.new_page()
    return context


@contextmanager
def opened(
    browser: Browser,
    address: str,
    width: int = DESK,
    scheme: Literal["light", "dark"] = "light",
    *,
    whole: bool = True,
    **how: Any,
) -> Iterator[Page]:
    """A page in a window of its own, without sound and without a network.

    whole : lay out all its tables, so that all can be measured; False: those near the window, as for a reader
    """
    shown = _context(browser, **how).new_page()
    shown.set_viewport_size({"width": width, "height": 800})
    shown.emulate_media(color_scheme=scheme)
    lines: list[str] = []
    shown.on("console", lambda message: lines.append(f"{message.type}: {message.text}"))
    shown.on("pageerror", lambda error: lines.append(f"error: {error}"))
    shown.on("dialog", lambda dialog: lines.append(f"dialog: {dialog.message}"))
    shown.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else lines.append(request.url)
    )
    shown.goto(address, timeout=PATIENCE)
    if whole:
        shown.evaluate(
            "for (const each of document.querySelectorAll('section.table')) each.style.contentVisibility = 'visible'"
        )
    try:
        yield shown
    finally:
        shown.close()
    assert lines == []


def size(shown: Page) -> int:
    """The bytes of a page as it is now."""
    return shown.evaluate("new TextEncoder().encode(document.documentElement.outerHTML).length")  # type: ignore[no-any-return]


def violations(shown: Page, within: str | None = None, **options: Any) -> list[tuple[str, list[str]]]:
    """The rules of axe that a page breaks, each with its first elements.

    Figures are left out where only colours are asked for: axe finds the colours within an SVG, but judges none of them.
    """
    from axe_playwright_python.sync_playwright import Axe

    if not shown.evaluate("'axe' in window"):
        shown.evaluate(Axe().axe_script)
    result = shown.evaluate(
        """async ([within, without, options]) =>
           (await axe.run({ include: [within ?? ':root'], exclude: without }, options)).violations""",
        [
            within,
            ["figure svg > *"] if options.get("runOnly") == COLOURS else [],
            {"resultTypes": ["violations"], **options},
        ],
    )
    return [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in result]


def tab_to(shown: Page, selector: str) -> int:
    """Go on from where the keyboard is to an element; how many times Tab was struck."""
    for times in range(1, 400):
        shown.keyboard.press("Tab")
        if shown.evaluate("selector => document.activeElement.matches(selector)", selector):
            return times
    pytest.fail(f"Tab does not reach {selector}")


def lines(shown: Page, selector: str) -> set[int]:
    """On how many lines the texts of elements are."""
    return set(
        shown.locator(selector).evaluate_all(
            """all => all.filter(one => one.textContent).map(one => { const range = document.createRange();
               range.selectNodeContents(one);
               return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size; })"""
        )
    )
