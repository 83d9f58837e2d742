"""Pages of the documentation: links, names, length, words and scenarios."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from footfall.core.scenarios.scenarios import SCENARIOS
from prose import ALLOWED_PHRASES, PROSE_WORDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
CODE_FOLDERS = ("core", "addon", "operators", "panels", "scripts", "tests", "demo", "presets")
# Pages whose names in code style are names of the code.
DEVELOPER_PAGES = [ROOT / "docs" / "extending.md", *sorted((ROOT / "docs" / "dev").glob("*.md"))]
MAX_WORDS = 2000


def _read_outside_blocks(page: Path) -> str:
    """Return the text of a page without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)


def _read_prose(page: Path) -> str:
    """Return the text of a page without code, targets of links and names in italics."""
    text = re.sub(r"`[^`]*`", "", _read_outside_blocks(page))
    return re.sub(r"\*[^*\n]+\*(?!\*)", "", re.sub(r"\]\([^)]*\)", "]", text))


@cache
def _list_anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    counts: Counter[str] = Counter()
    anchors = []
    for heading in re.findall(r"^#+ (.*)$", _read_outside_blocks(page), re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        anchors.append(f"{slug}-{counts[slug]}" if counts[slug] else slug)
        counts[slug] += 1
    return frozenset(anchors)


def _list_links(page: Path) -> list[str]:
    text = re.sub(r"`[^`]*`", "", _read_outside_blocks(page))
    return re.findall(r"\]\(([^)\s]+)\)", text)


def _is_broken(page: Path, link: str) -> bool:
    target, _, anchor = link.partition("#")
    path = (page.parent / target).resolve() if target else page
    if not path.exists():
        return True
    return bool(anchor) and anchor not in _list_anchors(path)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_and_anchors_resolve(page: Path) -> None:
    relative = [link for link in _list_links(page) if not re.match(r"[a-z]+:", link)]
    assert [link for link in relative if _is_broken(page, link)] == []


def test_gallery_shows_every_scenario() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)$", page, re.M) == [*SCENARIOS, "Rigs"]


@pytest.mark.parametrize("page", PAGES[2:], ids=NAMES[2:])
def test_page_is_short(page: Path) -> None:
    count = len(re.findall(r"\S*\w\S*", page.read_text(encoding="utf-8")))
    assert count < MAX_WORDS


@cache
def _list_code_paths() -> frozenset[str]:
    """Return the files and folders of code, each with a slash in front; folders end in one."""
    paths = [path for folder in CODE_FOLDERS for path in (ROOT / folder).rglob("*")]
    paths += ROOT.glob("*.*")
    return frozenset(
        f"/{path.relative_to(ROOT)}{'/' * path.is_dir()}" for path in paths
    ) | frozenset(f"/{folder}/" for folder in CODE_FOLDERS)


def _list_paths(page: Path) -> Iterator[str]:
    """Yield what looks like a path of the repository: a file of code, or a folder."""
    for name in re.findall(r"`([\w./-]+)`", _read_outside_blocks(page)):
        is_file = name.endswith((".py", ".toml")) and "/" in name
        is_folder = name.endswith("/") and name.split("/")[0] in CODE_FOLDERS
        if is_file or is_folder or name.endswith(".py"):
            yield name


def _exists(name: str) -> bool:
    """Return whether a path is that of a file or folder, or the end of one."""
    return any(path.endswith(f"/{name}") for path in _list_code_paths())


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_paths_exist(page: Path) -> None:
    assert [name for name in _list_paths(page) if not _exists(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_prose_is_plain(page: Path) -> None:
    words = PROSE_WORDS.findall(ALLOWED_PHRASES.sub("", _read_prose(page)))
    assert words == []


@cache
def _list_words_of_code() -> frozenset[str]:
    """Return every identifier and word in the files of code."""
    words: set[str] = set()
    for folder in CODE_FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".toml"):
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return frozenset(words)


@pytest.mark.parametrize("page", DEVELOPER_PAGES, ids=lambda page: page.name)
def test_names_in_developer_pages_are_in_the_code(page: Path) -> None:
    names = re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`", _read_outside_blocks(page))
    unknown = {
        part
        for name in names
        if not re.search(r"\.(md|toml|json|npz|blend)$", name)
        for part in name.removesuffix(".py").split(".")
        if part and part not in _list_words_of_code()
    }
    assert {name for name in unknown if not _exists(f"{name}.py")} == set()
