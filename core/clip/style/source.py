"""The kind of files that hold styles."""

from __future__ import annotations

from ...errors import TaskError
from ...files.source import FileKind

STYLE_FILE = FileKind("style", 4_000_000, TaskError)
