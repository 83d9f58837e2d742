"""The command `footfall train adaptive`."""

from __future__ import annotations

import argparse
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import TaskError
from ...task import Path as TaskPath
from ...task import SpeedProfile, Task, load_task
from ..batch.command import add_executor_options, open_executor
from .character_training import CharacterTrainingPlan, train_character
from .controller_file import TrainedController, ValidationRow, load_controller, save_controller
from .evaluation import FORWARD, REFERENCE_BODY, find_body
from .ladder import RUNGS
from .movements import MOVEMENTS, find_movement
from .parameters import GaitParameters
from .shipped import load_shipped_gaits
from .training import Generation, Training, TrainingOptions, TrainingSchedule, run_training
from .transition_walks import validate_transition
from .transitions import TRANSITIONS
from .validation import validate

Commands = Any  # Type of `ArgumentParser.add_subparsers`, which is private in argparse.


def add_adaptive_command(commands: Commands) -> None:
    """Add the command `adaptive` to the commands of `footfall train`.

    Args:
        commands: result of `ArgumentParser.add_subparsers`.
    """
    parser = commands.add_parser("adaptive", help="search a controller of the engine 'adaptive'")
    parser.add_argument(
        "movement", choices=[*MOVEMENTS, *TRANSITIONS], help="what the controller does"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="file of the controller (.json)"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on from the checkpoint beside the file"
    )
    parser.add_argument(
        "--start",
        type=Path,
        metavar="CONTROLLER",
        help="file of a controller to begin with (values that come with Footfall)",
    )
    defaults = TrainingOptions()
    _add_body_options(parser)
    for name, kind, number, about in (
        ("generations", int, 1000, "number of generations in all"),
        ("population", int, defaults.population, "samples of a generation"),
        ("sigma", float, defaults.sigma, "first standard deviation, in ranges of parameters"),
        ("seed", int, defaults.seed, "seed of all random choices"),
        ("rung", int, defaults.rung, f"rung of the ladder to begin on, 0 to {len(RUNGS) - 1}"),
        ("walks", int, 10, "walks of each kind in the validation"),
    ):
        parser.add_argument(
            f"--{name}", type=kind, default=number, metavar="N", help=f"{about} ({number})"
        )
    parser.add_argument(
        "--parameters",
        type=lambda text: tuple(text.split(",")),
        default=(),
        metavar="NAMES",
        help="parameters that the search changes, with commas between them (all)",
    )
    add_executor_options(parser)
    parser.set_defaults(do=_train)


def _add_body_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what body is trained, and for how long one of a user."""
    parser.add_argument(
        "--body",
        default=TrainingOptions.body,
        metavar="B",
        help=f"a built-in character, {REFERENCE_BODY!r} for the body of the paper, or a file of a "
        "character (.toml, .xml, .urdf), whose walk is trained from the controller that it has "
        f"({TrainingOptions.body})",
    )
    parser.add_argument(
        "--task", type=Path, metavar="TASK.toml", help="file of a task whose body is trained so"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=CharacterTrainingPlan.seconds / 60.0,
        metavar="M",
        help="time after which the training of such a body ends "
        f"({CharacterTrainingPlan.seconds / 60.0:g})",
    )


class SerialExecutor(Executor):
    """Executor that does each call at once, in this process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do a call and return its future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _open(options: argparse.Namespace) -> AbstractContextManager[Executor]:
    """Return the executor of the options; one worker is this process."""
    return SerialExecutor() if options.workers == 1 else open_executor(options)


def _train(options: argparse.Namespace) -> None:
    """Train a controller, validate it and write its file."""
    if options.task is not None or Path(options.body).suffix:
        _train_character(options)
        return
    checkpoint = options.out.with_name(options.out.name + ".checkpoint")
    if options.resume:
        training = Training.resume(checkpoint)
    else:
        start = (
            _find_start(options.movement)
            if options.start is None
            else load_controller(options.start).gait
        )
        settings = TrainingOptions(
            options.body,
            options.seed,
            options.population,
            sigma=options.sigma,
            rung=options.rung,
            searched=options.parameters,
        )
        find_body(settings.body)
        training = Training.begin(options.movement, settings, start)

    def save(training: Training) -> None:
        training.save(checkpoint)
        save_controller(training.make_controller(), options.out)

    with _open(options) as executor:
        controller = run_training(
            training, TrainingSchedule(options.generations), executor, save, _report
        )
        rows = _validate(controller, options.walks, executor)
    save_controller(replace(controller, validation=rows), options.out)
    for row in rows:
        print(
            f"{row.case}: {row.survived} of {row.walks} walks of {row.half_cycles} steps, "
            f"{row.mean_half_cycles:.1f} steps on average"
        )


# Options of the search of a built-in body, with their defaults
SEARCH_DEFAULTS = {
    "resume": False,
    "start": None,
    "sigma": TrainingOptions.sigma,
    "rung": TrainingOptions.rung,
    "parameters": TrainingOptions.searched,
}


def _train_character(options: argparse.Namespace) -> None:
    """Train the walk of a user's body and write its file, if it is better than before.

    Raises:
        TaskError: it is not, or an option does not belong to this training.
    """
    if options.movement != FORWARD.name:
        raise TaskError(
            f"The movement {options.movement!r} is trained for built-in characters only; train "
            f"{FORWARD.name!r} for others."
        )
    for name, default in SEARCH_DEFAULTS.items():
        if getattr(options, name) != default:
            raise TaskError(
                f"--{name} belongs to the search for a built-in character; leave it out, as the "
                "training of another one begins with the controller that it has."
            )
    task = load_task(options.task) if options.task is not None else _make_task(options.body)
    plan = CharacterTrainingPlan(
        60.0 * options.minutes,
        options.generations,
        options.seed,
        population=options.population,
        walks=options.walks,
    )
    options.out.absolute().parent.mkdir(parents=True, exist_ok=True)
    with _open(options) as executor:
        trained = train_character(task, plan, executor, _show_progress)
    trained.check()
    save_controller(trained.controller, options.out)
    print(f"{options.out}: {trained.describe()}")


def _make_task(body: str) -> Task:
    return Task(TaskPath([(0.0, 0.0), (10.0, 0.0)]), SpeedProfile(1.0), character=body)


def _show_progress(stage: str, share: float) -> None:
    """Print one line about a training."""
    print(f"{stage}: {100 * share:.0f} %", flush=True)


def _find_start(name: str) -> GaitParameters:
    """Return the parameters from which the search of a movement or of a transition begins."""
    if name in TRANSITIONS:
        return TRANSITIONS[name].make_start(load_shipped_gaits())
    return find_movement(name).start


def _validate(
    controller: TrainedController, walks: int, executor: Executor
) -> tuple[ValidationRow, ...]:
    gait = controller.gait
    body = controller.body
    if controller.name in TRANSITIONS:
        transition = TRANSITIONS[controller.name]
        return validate_transition(gait, body, walks, executor, transition)
    return validate(gait, body, walks, executor, find_movement(controller.name))


def _report(generation: Generation) -> None:
    """Print one line about a generation."""
    rung = generation.ladder.current
    print(
        f"generation {generation.number}: rung {generation.ladder.rung} "
        f"(helper {rung.helper_limit:g} N), {100 * generation.survival:.0f} % survived, cost "
        f"{generation.median_cost:.1f} (best {generation.best_cost:.1f}), sigma "
        f"{generation.sigma:.3f}",
        flush=True,
    )
