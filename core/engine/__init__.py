"""Engines: each generates a motion from a task."""

from __future__ import annotations

from ..errors import TaskError
from ..motion import Motion
from ..task import Task
from .adaptive.info import INFO as ADAPTIVE
from .base import EngineDriver, EngineInfo, Progress
from .centroidal.info import INFO as CENTROIDAL
from .features import check_features
from .learned.info import INFO as LEARNED
from .preview.info import INFO as PREVIEW
from .safety.deliver import Delivery, generate_sound_motion
from .safety.drive import JudgedDriver, note_drive_flaws
from .tracker.info import INFO as TRACKER

# Engines by name, the default one first. A new engine is a package and its entry here.
ENGINES: dict[str, EngineInfo] = {
    info.name: info for info in (CENTROIDAL, PREVIEW, LEARNED, ADAPTIVE, TRACKER)
}


def find_engine(name: str) -> EngineInfo:
    """Return the engine with a name.

    Raises:
        TaskError: there is no such engine.
    """
    if name not in ENGINES:
        raise TaskError(f"There is no engine {name!r}; there are: {', '.join(ENGINES)}.")
    return ENGINES[name]


def generate(task: Task, progress: Progress = lambda stage, share: None) -> Motion:
    """Return the motion of a task, generated with its engine.

    Raises:
        TaskError: there is no such engine, or it does not honor a part of the task.
        MotionError: the task demands what no motion can do.
    """
    return deliver(task, progress).motion


def deliver(task: Task, progress: Progress = lambda stage, share: None) -> Delivery:
    """Return the motion of a task, and the task with the demands that the motion meets.

    Raises:
        TaskError: there is no such engine, or it does not honor a part of the task.
        MotionError: the task demands what no motion can do.
    """
    engine = find_engine(task.engine)
    check_features(task, engine, ENGINES.values())
    return generate_sound_motion(task, engine, progress)


def create_driver(task: Task) -> EngineDriver:
    """Return a driver for the body of a task.

    Raises:
        TaskError: there is no such engine, the body cannot be driven, or the task has a part that
            a drive does not support.
        CharacterError: the body cannot be simulated.
    """
    engine = find_engine(task.engine)
    check_features(task, engine, ENGINES.values())
    return JudgedDriver(engine.load_driver()(task), task, engine)


def note_flaws(task: Task, motion: Motion) -> Motion:
    """Return the joined parts of a drive, with the flaws of the whole in the notes of its report.

    Args:
        task: that the driver was made from.
    """
    return note_drive_flaws(task, motion, find_engine(task.engine))
