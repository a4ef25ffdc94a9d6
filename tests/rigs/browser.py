"""Chromium for tests of pages, and what all of these need; left out where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest

from appliance.words import ENGLISH, set_language

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
IN_BROWSER = (
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="skipped: no Chromium here"),
    *(
        pytest.mark.skipif(find_spec(name) is None, reason=f"skipped: no {name} here")
        for name in ("playwright", "axe_playwright_python")
    ),
)
"""The marks of tests in a browser."""
PATIENCE_MS = 120_000
"""For what comes in the end: a busy machine is slow, not wrong."""
PHONE = {"width": 390, "height": 844}


@contextmanager
def launched() -> Iterator[Any]:
    """A browser without a window."""
    # Not everybody has it.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # Chromium's own sandbox needs privileges that a container often lacks.
        yield driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The same for all tests of a module."""
    with launched() as browser:
        yield browser


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """A page in it, in which no script may fail."""
    tab = chromium.new_page(viewport={"width": 1280, "height": 800})
    tab.set_default_timeout(PATIENCE_MS)
    errors = list[str]()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    tab.close()
    assert errors == []


@pytest.fixture(params=[ENGLISH, "de"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language of the program and this test."""
    set_language(request.param)
    yield request.param
    set_language(ENGLISH)


def line(tab: Any) -> str:
    """The line that says what can be done."""
    return str(tab.inner_text("#line"))


def when(tab: Any, wanted: str) -> str:
    """The line that says what can be done, once it is as `wanted`, a condition on `now`."""
    tab.wait_for_function(
        f"() => {{ const now = document.querySelector('#line').textContent; return {wanted}; }}"
    )
    return line(tab)


def violations(tab: Any) -> list[str]:
    """What axe-core finds wrong with a page for people who cannot see or use a mouse."""
    from axe_playwright_python import sync_playwright as axe

    found = axe.Axe().run(tab).response["violations"]
    return [f"{one['id']}: {[node['html'] for node in one['nodes']]}" for one in found]
