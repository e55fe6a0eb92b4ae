"""A browser without a screen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.oracles.beside import absent

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Preferred first: the same engine as the others, without windows, which takes 40 % less CPU time for our pages."""


@pytest.fixture(scope="module")  # while it is there, an event loop runs in this thread, which others must not meet
def browser() -> Iterator[Browser]:
    """Chromium as the system has it."""
    if not (find_spec("playwright") and find_spec("axe_playwright_python")):
        absent("playwright or axe-playwright-python is not installed")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        absent("there is no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield running
        running.close()
