"""The report of a motion: a JSON file in the folder of the motion."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..errors import MotionError
from ..files.source import FileKind, read_file, show_path
from ..files.values import NumberRange, is_list_of_texts, is_number, is_short_text, show_error
from .motion import Report
from .violations import VIOLATION_REASONS, ConstraintViolation

REPORT_FILE = FileKind("report", 4_000_000, MotionError)
SEED_RANGE = NumberRange(-(2.0**63), 2.0**63)
TEXT_KEYS = ("scenario", "engine", "character")
NUMBER_KEYS = ("clip_seconds", "style_rms_deg", "legs_rms_deg")
OPTIONAL_KEYS = ("style_rms_deg", "legs_rms_deg")
REQUIRED_KEYS = (*TEXT_KEYS, "seed", "clip_seconds", "seconds")
VIOLATIONS_KEY = "eased"
VALID_KEYS = (*REQUIRED_KEYS, *OPTIONAL_KEYS, "notes", VIOLATIONS_KEY)


def report_to_data(report: Report) -> dict[str, Any]:
    """Return the entries of a report file, in which the key of violations is `eased`."""
    return {
        VIOLATIONS_KEY if name == "violations" else name: value
        for name, value in asdict(report).items()
    }


def read_report(path: Path) -> Report:
    """Return the report of a file, or an empty one if there is no such file.

    Raises:
        MotionError: it is no report.
    """
    if not path.exists():
        return Report("unknown", "unknown", "unknown", seed=0, clip_seconds=0.0, seconds={})
    try:
        data = json.loads(read_file(path, REPORT_FILE).decode("utf-8"))
        return _report_from_data(data)
    except (ValueError, RecursionError) as error:
        raise MotionError(
            f"{show_path(path)} is not a report of a motion: {show_error(error)}."
        ) from error


def _report_from_data(data: object) -> Report:
    """Return the report of the entries of a file.

    Raises:
        ValueError: an entry is missing, unknown or of a wrong type.
    """
    if not isinstance(data, dict):
        raise ValueError("it is no object")
    wrong_keys = [key for key in REQUIRED_KEYS if key not in data]
    wrong_keys += [key for key in data if key not in VALID_KEYS]
    wrong_keys += [key for key, value in data.items() if not _is_valid(key, value)]
    if wrong_keys:
        raise ValueError(f"its entry {wrong_keys[0][:40]!r} is missing, unknown or of a wrong type")
    violations = tuple(ConstraintViolation(**entry) for entry in data.get(VIOLATIONS_KEY, ()))
    entries = {key: value for key, value in data.items() if key != VIOLATIONS_KEY}
    return Report(**{**entries, "notes": tuple(data.get("notes", ())), "violations": violations})


def _is_valid(key: str, value: object) -> bool:
    """Return whether a report can have this entry; unknown keys are left to the caller."""
    if key in TEXT_KEYS:
        return is_short_text(value)
    if key == "seed":
        return isinstance(value, int) and is_number(value, SEED_RANGE)
    if key in NUMBER_KEYS:
        return is_number(value) or (key in OPTIONAL_KEYS and value is None)
    if key == "seconds":
        return isinstance(value, dict) and all(is_number(v) for v in value.values())
    if key == "notes":
        return is_list_of_texts(value)
    if key == VIOLATIONS_KEY:
        return isinstance(value, list) and all(map(_is_violation, value))
    return True


def _is_violation(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"begin", "end", "reason"}
        and is_number(value["begin"])
        and is_number(value["end"])
        and isinstance(value["reason"], str)
        and value["reason"] in VIOLATION_REASONS
    )
