"""What a batch consists of, and what becomes of each of its jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from ...errors import BatchError
from ...files.values import show_names, show_value

Item = TypeVar("Item")
Summary = TypeVar("Summary")


@dataclass(frozen=True)
class Batch(Generic[Item, Summary]):
    """A function that is called once for each of many items and writes a result for each.

    Args:
        work: function of a module, called with an item and the path of its result, at which it
            writes a file or a folder. It returns a summary, which travels through the executor
            and is therefore small.
        items: arguments of `work`, which can be pickled.
        names: of the results in the folder, one for each item.
        folder: for the results; workers of other machines must see it under the same path.

    Raises:
        BatchError: there is not one separate name for each item.
    """

    work: Callable[[Item, Path], Summary]
    items: Sequence[Item]
    names: Sequence[str]
    folder: Path

    def __post_init__(self) -> None:
        if len(self.names) != len(self.items):
            raise BatchError(
                f"There are {len(self.names)} names for {len(self.items)} items; each item needs "
                "one."
            )
        repeated = [name for name, count in Counter(self.names).items() if count > 1]
        if repeated:
            raise BatchError(
                f"Several results would have the name {show_names(repeated)}; each needs another "
                "name."
            )
        for name in self.names:
            if not name or Path(name).name != name or name.startswith("."):
                raise BatchError(
                    f"{show_value(name)} is no name of a result; it must be a file name that does "
                    "not begin with a dot."
                )


@dataclass(frozen=True)
class JobResult(Generic[Summary]):
    """Result of one item.

    Args:
        name: of the result.
        path: of the file or folder, which exists unless there is an error.
        summary: what `work` returned; None if there is an error.
        error: why there is no result; None if there is one.
        seconds: time in which the worker did it [s].
    """

    name: str
    path: Path
    summary: Summary | None
    error: str | None
    seconds: float
