"""A named task whose length, seed and speed are chosen later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import TaskError
from ..task.profile import SpeedProfile
from ..task.task import Task


@dataclass(frozen=True)
class Scenario:
    """A task whose length, seed and speed are chosen later.

    Args:
        name: of the scenario.
        about: one line about it.
        speed: default speed [m/s].
        build: function of speed [m/s], length [s] and seed that returns the task.
    """

    name: str
    about: str
    speed: float
    build: Callable[[float, float, int], Task]

    def build_task(
        self, fps: float = 30.0, seconds: float = 10.0, seed: int = 0, speed: float | None = None
    ) -> Task:
        """Return the task.

        Args:
            fps: frame rate [1/s].
            seconds: length of the clip [s].
            seed: of all random choices.
            speed: [m/s]; None for the default one.

        Raises:
            TaskError: a number is out of range.
        """
        if seed < 0:
            raise TaskError(f"The seed is {seed}; it must be a whole number of 0 or more.")
        speed = self.speed if speed is None else speed
        SpeedProfile(speed)  # Raises the error of an invalid speed before the task is built.
        if not 0.1 <= seconds <= 3600:
            raise TaskError(
                f"The clip would last {seconds:g} s; it must be between 0.1 s and an hour."
            )
        return replace(
            self.build(speed, seconds, seed), fps=fps, seconds=seconds, seed=seed, name=self.name
        )
