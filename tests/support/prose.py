"""Checks of the language of the code: words, units, and sizes of functions."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_BODY_LINES = 40
MAX_PARAMETERS = 6

# Words of the former dialect, with the standard term in docs/glossary.md.
BANNED = (
    r"wish|wished|wishes|wishing|told|tell|tells|telling|ask|asked|asks|asking|own|owns|way|ways"
    r"|drew|found|known|carried|led|eased|stoop|stoops|stooped|stooping|bows|bowed|humps|humped"
    r"|peels|peeled|haste|hurry|hurries|hurried|elsewhere|elsewhen|anyhow|besides|whoever|who|whom"
    r"|nobody|somebody|yet|lasts|lacks|herd|chapter|chapters|storyteller|goes|gone|lent|meant"
)
PHRASES = r"for all that|by turns|stands? well"
NAME_WORDS = re.compile(rf"^({BANNED})$")
PROSE_WORDS = re.compile(rf"\b({BANNED}|{PHRASES})\b", re.IGNORECASE)
ALLOWED_PHRASES = re.compile(r"\b(not[- ]found|well[- ]known|by the way)\b", re.IGNORECASE)
UNIT_FIRST = re.compile(r"^#\s*(m|s|rad|kg|N|Nm|m/s|m/s\^2|rad/s|deg|degrees|°|Hz|J|W)(?=[ ,;:]|$)")


@dataclass(frozen=True)
class Finding:
    path: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.text}"


def check_file(path: Path) -> Iterator[Finding]:
    """Yield every finding in one file of Python."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    lines = source.splitlines()
    yield from _check_comments(path, source)
    for node in ast.walk(tree):
        yield from _check_names(path, node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _check_words(path, node.lineno, "words", node.value)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _check_function(path, node, lines)


def _check_words(path: Path, line: int, kind: str, text: str) -> Iterator[Finding]:
    for match in PROSE_WORDS.finditer(ALLOWED_PHRASES.sub("", text)):
        yield Finding(path, line, kind, f"'{match.group()}' in: {' '.join(text.split())[:90]}")


def _check_comments(path: Path, source: str) -> Iterator[Finding]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from _check_words(path, token.start[0], "comment", token.string)
            if UNIT_FIRST.match(token.string):
                yield Finding(path, token.start[0], "unit first", token.string)


def _check_names(path: Path, node: ast.AST) -> Iterator[Finding]:
    names: list[str] = []
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        names = [node.name]
    elif isinstance(node, ast.arg):
        names = [node.arg]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        names = [node.id]
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        names = [node.attr]
    for name in names:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
        if any(NAME_WORDS.match(word) for word in words):
            yield Finding(path, node.lineno, "name", name)  # type: ignore[attr-defined]


def _check_function(
    path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]
) -> Iterator[Finding]:
    arguments = node.args
    count = len([*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        count -= 1
    if count > MAX_PARAMETERS:
        yield Finding(path, node.lineno, "parameters", f"{node.name} has {count}")
    length = count_body_lines(node, lines)
    if length > MAX_BODY_LINES:
        yield Finding(path, node.lineno, "length", f"{node.name} has {length} lines")
    if returns_bare_tuple(node) and not node.name.startswith("_"):
        returned = ast.unparse(node.returns)  # type: ignore[arg-type]
        yield Finding(path, node.lineno, "tuple", f"{node.name} -> {returned}")


def count_body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> int:
    """Return the lines of a function's body that hold code: no docstring, blank or comment."""
    body = node.body
    has_docstring = ast.get_docstring(node) is not None
    statements = body[1:] if has_docstring else body
    if not statements:
        return 0
    span = lines[statements[0].lineno - 1 : node.end_lineno]
    return sum(1 for line in span if line.strip() and not line.strip().startswith("#"))


def returns_bare_tuple(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is annotated to return several things without names.

    `tuple[X, ...]` is a sequence, not several things.
    """
    for part in ast.walk(node.returns) if node.returns is not None else ():
        if isinstance(part, ast.Subscript) and ast.unparse(part.value) == "tuple":
            inside = part.slice
            elements = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            if len(elements) > 1 and not any(ast.unparse(e) == "..." for e in elements):
                return True
    return False
