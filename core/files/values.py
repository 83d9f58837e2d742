"""Values of files: as messages show them, and numbers within a range."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import FootfallError

# Characters of a value in a message, which stays on a line, and names in a list of some lines
MAX_SHOWN_CHARACTERS = 60
MAX_SHOWN_NAMES = 30
# Characters of a text in a file, longer than any description; larger ones are damage
MAX_TEXT_CHARACTERS = 2000
MAX_INTEGER = 2**63 - 1  # that of TOML, and of arrays
# Names of files beside another one: no folders, drives, wildcards or control characters
PLAIN_NAME = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|]{1,100}")


def show_value(value: object) -> str:
    """Return a value as messages show it, not longer than a line."""
    if isinstance(value, str):
        shown = repr(value[: MAX_SHOWN_CHARACTERS + 1])
    else:
        try:
            shown = repr(value)
        except (ValueError, RecursionError):  # Python writes no integer of thousands of digits
            shown = f"{type(value).__name__} of many digits"
        if isinstance(value, int) and abs(value) > MAX_INTEGER:
            shown = "an integer of many digits"
    return shown if len(shown) <= MAX_SHOWN_CHARACTERS else shown[:MAX_SHOWN_CHARACTERS] + "..."


def show_error(error: Exception) -> str:
    """Return what a library says, in one line without a full stop at its end."""
    text = " ".join(str(error).split()).rstrip(".")
    return text if len(text) <= 200 else text[:200] + "..."


def show_names(names: Iterable[str]) -> str:
    """Return names for messages: the first ones, and how many more there are."""
    shown = [name[:MAX_SHOWN_CHARACTERS] for name in names]
    rest = len(shown) - MAX_SHOWN_NAMES
    return ", ".join(shown[:MAX_SHOWN_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def is_plain_name(value: object) -> bool:
    """Return whether a value is the name of a file without a folder."""
    return (
        isinstance(value, str)
        and PLAIN_NAME.fullmatch(value) is not None
        and not value.startswith(".")
    )


def is_short_text(value: object) -> bool:
    """Return whether a value is a text that fits into a panel."""
    return isinstance(value, str) and len(value) <= MAX_TEXT_CHARACTERS


def is_list_of_texts(value: object) -> bool:
    """Return whether a value is a list of such texts."""
    return isinstance(value, list) and all(is_short_text(text) for text in value)


@dataclass(frozen=True)
class NumberRange:
    """The numbers that an entry may have.

    Args:
        minimum: least number.
        maximum: greatest number.
        excludes_minimum: whether the number must be above the minimum.
    """

    minimum: float
    maximum: float
    excludes_minimum: bool = False

    def contains(self, value: float) -> bool:
        """Return whether a number is in the range; nan is in none."""
        is_high_enough = value > self.minimum if self.excludes_minimum else value >= self.minimum
        return is_high_enough and value <= self.maximum

    def describe(self) -> str:
        """Return the range for messages."""
        if self.excludes_minimum:
            return f"above {self.minimum:g} and at most {self.maximum:g}"
        return f"from {self.minimum:g} to {self.maximum:g}"


# Any number that later sums and squares can hold
ANY_NUMBER = NumberRange(-1e9, 1e9)


def is_number(value: object, allowed: NumberRange = ANY_NUMBER) -> bool:
    """Return whether a value is a number in a range; booleans are none."""
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and allowed.contains(value)
    )


def read_number(
    value: object, label: str, error_class: type[FootfallError], allowed: NumberRange = ANY_NUMBER
) -> float:
    """Return a number.

    Args:
        label: of the entry, for messages.
        error_class: of what is raised.
        allowed: the range.

    Raises:
        FootfallError: of the class: it is no number, or out of the range.
    """
    if not is_number(value, allowed):
        raise error_class(
            f"{label} must be a number {allowed.describe()}; it is {show_value(value)}."
        )
    return float(value)  # type: ignore[arg-type]
