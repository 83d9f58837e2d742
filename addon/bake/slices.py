"""Work that is done in slices, between which Blender reacts to the user."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from typing import Generic, TypeVar

Result = TypeVar("Result")

# Time after which a slice ends at the next pause of the work [s]: Blender draws 20 times a second.
SLICE_TIME = 0.05


class SlicedWork(Generic[Result]):
    """Work that yields its completed share at every pause.

    Args:
        steps: the work. What it holds across a pause must survive undo, so names of Blender's data
            and no references.
    """

    def __init__(self, steps: Generator[float, None, Result]) -> None:
        self._steps = steps
        self._results: list[Result] = []
        self.share = 0.0  # completed share, 0 to 1, which never decreases

    @property
    def is_done(self) -> bool:
        """Whether the work was finished."""
        return bool(self._results)

    @property
    def result(self) -> Result:
        """Result of work that is done."""
        return self._results[0]

    def advance(self, seconds: float = SLICE_TIME) -> bool:
        """Work for about so many seconds and return whether the work is done.

        Raises:
            FootfallError: the work failed.
        """
        end = time.monotonic() + seconds
        while not self.is_done:
            try:
                self.share = max(self.share, min(next(self._steps), 1.0))
            except StopIteration as stop:
                self._results.append(stop.value)
                self.share = 1.0
            if time.monotonic() >= end:
                break
        return self.is_done

    def run(self) -> Result:
        """Work to the end without a pause and return the result.

        Raises:
            FootfallError: the work failed.
        """
        while not self.advance():
            pass
        return self.result

    def cancel(self) -> None:
        """End the work and leave everything as it was; does nothing once the work is done."""
        self._steps.close()


def spread_share(
    steps: Generator[float, None, Result], begin: float, end: float
) -> Generator[float, None, Result]:
    """Run a part of the work and yield its shares between those of the whole work."""
    with closing(steps):
        while True:
            try:
                share = next(steps)
            except StopIteration as stop:
                result: Result = stop.value
                return result
            yield begin + (end - begin) * share
