"""The command `footfall`, which generates motions without Blender."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any

# Set before numpy is imported: the matrices are small, and threads would only wait.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from .bench import run_benchmark
from .clip import StyleShare
from .clip.command import add_style_command
from .engine import find_engine, generate
from .engine.adaptive.command import add_adaptive_command
from .engine.batch.command import (
    add_batch_command,
    add_executor_options,
    list_seeds,
    print_batch,
)
from .engine.batch.motions import create_motion_batch
from .engine.learned.command import add_learned_command
from .errors import FootfallError, TaskError, WriteError
from .motion import Motion, load_motion, save_motion
from .motion.measures import measure
from .motion.picture import save_picture
from .scenarios.scenarios import SCENARIOS, find_scenario
from .task import Task, load_task
from .terrain import FlatGround, Ground, MeshGround

Commands = Any  # Type of `ArgumentParser.add_subparsers`, which is private in argparse.


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit status. Errors are printed to stderr.

    The status is 2 for arguments and files that cannot be used, as of `argparse`, and 1 where the
    system refuses to read or to write.
    """
    options = _build_parser().parse_args(arguments)
    try:
        options.do(options)
    except FootfallError as error:
        print(f"footfall: {' '.join(str(error).split())}", file=sys.stderr)
        return 1 if isinstance(error, WriteError) else 2
    except OSError as error:
        print(f"footfall: {error.filename or 'file'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("footfall: stopped; finished motions stay", file=sys.stderr)
        return 130
    return 0


def read_ground(motion: Motion) -> Ground:
    """Return the ground of a motion."""
    if motion.terrain_vertices is None or motion.terrain_triangles is None:
        return FlatGround()
    return MeshGround(motion.terrain_vertices, motion.terrain_triangles)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="footfall", description="Plan physically valid locomotion."
    )
    commands: Commands = parser.add_subparsers(required=True, metavar="COMMAND")
    scenarios_parser = commands.add_parser("scenarios", help="list the named scenarios")
    scenarios_parser.set_defaults(do=_list_scenarios)
    run_parser = commands.add_parser("run", help="generate a scenario's motion")
    _add_run_options(run_parser)
    generate_parser = commands.add_parser("generate", help="generate the motion of a task file")
    generate_parser.add_argument("task", type=Path, metavar="TASK.toml")
    generate_parser.add_argument(
        "--seed", type=int, metavar="N", help="seed instead of the one in the file"
    )
    generate_parser.set_defaults(do=_generate_file)
    for command in (run_parser, generate_parser):
        command.add_argument(
            "--out",
            type=Path,
            required=True,
            metavar="DIR",
            help="folder of motion.npz and report.json",
        )
    add_batch_command(commands)
    _add_plot_command(commands)
    add_style_command(commands)
    train_parser = commands.add_parser("train", help="train for an engine that learns")
    engines: Commands = train_parser.add_subparsers(required=True, metavar="ENGINE")
    add_learned_command(engines, _show_progress)
    add_adaptive_command(engines)
    bench_parser = commands.add_parser("bench", help="print computing times by scenario and stage")
    bench_parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    bench_parser.set_defaults(do=lambda a: print(run_benchmark(as_json=a.json)))
    return parser


def _add_run_options(run_parser: argparse.ArgumentParser) -> None:
    run_parser.add_argument(
        "scenario", metavar="SCENARIO", help="a name listed by `footfall scenarios`"
    )
    run_parser.add_argument(
        "--fps", type=float, default=30.0, metavar="F", help="frames per second (30)"
    )
    run_parser.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="length of the clip (10)"
    )
    run_parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of all random choices (0)"
    )
    run_parser.add_argument(
        "--speed", type=float, metavar="V", help="speed in m/s instead of the default one"
    )
    run_parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="seeds 0 to N - 1, each into a separate folder, on all cores",
    )
    add_executor_options(run_parser)
    run_parser.add_argument(
        "--physics",
        choices=("mujoco", "bullet"),
        help="physics engine of the engine 'preview'; bullet needs PyBullet (mujoco)",
    )
    run_parser.add_argument(
        "--engine", metavar="E", help="another engine that can do the scenario, such as 'learned'"
    )
    _add_character_options(run_parser)
    run_parser.set_defaults(do=_run)


def _add_character_options(run_parser: argparse.ArgumentParser) -> None:
    run_parser.add_argument(
        "--character",
        metavar="C",
        help="another character: a built-in one, or a file (.toml, .xml, .urdf)",
    )
    run_parser.add_argument(
        "--style",
        metavar="STYLE",
        help="a built-in style of the body, a style's file (.toml), or for people a clip (.bvh)",
    )
    run_parser.add_argument(
        "--mix",
        action="append",
        default=[],
        metavar="STYLE=SHARE",
        help=("another style and its share, such as proud=0.3; may be repeated"),
    )
    run_parser.add_argument(
        "--upper",
        metavar="STYLE",
        help="a style for chest, arms and head, or a clip of a standing person",
    )
    run_parser.add_argument(
        "--gait", metavar="G", help="gait at all speeds, of a body that has a choice"
    )


def _add_plot_command(commands: Commands) -> None:
    plot_parser = commands.add_parser(
        "plot", help="draw a motion: strip of frames, forces, footprints"
    )
    plot_parser.add_argument("motion", type=Path, metavar="MOTION.npz")
    plot_parser.add_argument("-o", "--out", type=Path, required=True, metavar="PICTURE.png")
    plot_parser.add_argument(
        "--from", dest="begin", type=float, metavar="S", help="start of the strip of frames in s"
    )
    plot_parser.add_argument(
        "--to", dest="end", type=float, metavar="S", help="end of the strip in s"
    )
    plot_parser.set_defaults(do=_plot)


def _list_scenarios(_: argparse.Namespace) -> None:
    width = max(len(name) for name in SCENARIOS)
    for entry in SCENARIOS.values():
        print(f"{entry.name:{width}}  {entry.speed:g} m/s: {entry.about}")


# Options of `run` and the fields of the task that they set.
RUN_OPTIONS = (
    ("character", "character"),
    ("engine", "engine"),
    ("gait", "gait"),
    ("style", "style"),
    ("upper", "upper_style"),
)


def _run(options: argparse.Namespace) -> None:
    overrides = {
        field: value for name, field in RUN_OPTIONS if (value := getattr(options, name)) is not None
    }
    if options.mix:
        overrides["mixed_styles"] = tuple(_parse_share(argument) for argument in options.mix)

    def task(seed: int) -> Task:
        return replace(
            find_scenario(options.scenario).build_task(
                options.fps, options.seconds, seed, options.speed
            ),
            **overrides,
        )

    if options.physics is not None and options.seeds is not None:
        raise TaskError("--physics works for one motion at a time; leave --seeds out.")
    if options.seeds is None and (options.workers or options.cluster):
        raise TaskError("--workers and --cluster are for many motions; they need --seeds.")
    if options.seeds is None:
        _generate(task(options.seed), options.out, options.physics)
    else:
        tasks = [task(seed) for seed in list_seeds(options.seeds)]
        print_batch(create_motion_batch(tasks, options.out), options)


def _generate_file(options: argparse.Namespace) -> None:
    task = load_task(options.task)
    _generate(task if options.seed is None else replace(task, seed=options.seed), options.out)


def _parse_share(argument: str) -> StyleShare:
    style, _, share = argument.rpartition("=")
    try:
        return StyleShare(style, float(share))
    except ValueError as error:
        raise TaskError(
            f"{argument!r} is no share of a style; write STYLE=SHARE, such as proud=0.3."
        ) from error


def _generate(task: Task, out: Path, physics: str | None = None) -> None:
    motion = generate(task, _show_progress) if physics is None else _simulate(task, physics)
    path = save_motion(motion, out)
    print(f"{path}: {motion.frames} frames, {motion.report.seconds['total']:.2f} s of computing")
    for note in motion.report.notes:
        print(f"  {note}")
    for violation in motion.report.violations:
        print(f"  {violation.describe()}")
    figures = measure(motion, task.ground.sample_heights)
    for name, value in asdict(figures).items():
        print(f"  {name:18} {value:.4g}")


def _simulate(task: Task, physics: str) -> Motion:
    if task.engine != "preview":
        raise TaskError(
            f"{task.name} uses the engine {task.engine!r}, which has no physics engine; leave "
            "--physics out, or choose a scenario whose name begins with preview."
        )
    # Imported only when needed, since most runs have no physics engine.
    simulate: Any = find_engine(task.engine).load()
    motion: Motion = simulate(
        task, _show_progress, import_module(".simulate", __package__).PHYSICS[physics]
    )
    return motion


def _show_progress(stage: str, share: float) -> None:
    if sys.stderr.isatty():
        end = "\n" if share >= 1 else ""
        print(f"\r{stage:10} {100 * share:3.0f} %", end=end, file=sys.stderr, flush=True)


def _plot(options: argparse.Namespace) -> None:
    motion = load_motion(options.motion)
    save_picture(
        motion,
        options.out,
        read_ground(motion).sample_heights,
        begin=options.begin,
        end=options.end,
    )


if __name__ == "__main__":
    sys.exit(main())
