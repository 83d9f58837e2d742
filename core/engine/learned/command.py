"""The command `footfall train learned`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..batch.command import add_executor_options, open_executor
from .samples import make_body_task
from .train_body import TrainingPlan, TrainingProgress, train_body
from .weights_file import save_network

Commands = Any  # Type of `ArgumentParser.add_subparsers`, which is private in argparse.


def add_learned_command(commands: Commands, show_progress: TrainingProgress) -> None:
    """Add the command `learned` to the commands of `footfall train`.

    Args:
        commands: result of `ArgumentParser.add_subparsers`.
        show_progress: called with the stage and its share done.
    """
    train_parser = commands.add_parser(
        "learned", help="train the network of a body for the engine 'learned'"
    )
    train_parser.add_argument(
        "body", metavar="BODY", help="a built-in character, or a file (.toml, .xml, .urdf)"
    )
    train_parser.add_argument(
        "--style", default="natural", metavar="S", help="style of the motions (natural)"
    )
    train_parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="file of the network (.npz)"
    )
    defaults = TrainingPlan()
    for name, number, about in (
        ("segments", defaults.samples, "number of segments of motion to learn from"),
        ("epochs", defaults.epochs, "number of times that all of them are used"),
        ("seed", defaults.seed, "seed of all random choices"),
    ):
        train_parser.add_argument(
            f"--{name}", type=int, default=number, metavar="N", help=f"{about} ({number})"
        )
    add_executor_options(train_parser)
    train_parser.set_defaults(do=lambda options: _train(options, show_progress))


def _train(options: argparse.Namespace, show_progress: TrainingProgress) -> None:
    """Train a network and write its file."""
    plan = TrainingPlan(options.segments, options.epochs, options.seed)
    task = make_body_task(options.body, options.style)
    # The samples lie there, too, so that a cluster needs no other shared folder; and a folder that
    # cannot be written is refused now and not after minutes of training.
    folder = options.out.absolute().parent
    folder.mkdir(parents=True, exist_ok=True)
    with open_executor(options) as executor:
        trained = train_body(task, plan, executor, show_progress, folder)
    save_network(trained.learned, options.out)
    about = trained.learned.about
    print(f"{options.out}: {trained.describe()}")
    print(
        f"  mean squared error {about.training_error:.3f}, of segments held out "
        f"{about.held_out_error:.3f}"
    )
