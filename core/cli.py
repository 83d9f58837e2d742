"""The command `footfall`: motions without Blender."""
from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # before numpy: our matrices are small, threads would wait for each other

from .bench import bench
from .clip import (
    QuadrupedStyle,
    Share,
    Style,
    Understood,
    UnderstoodQuadruped,
    clip_shown,
    find_quadruped_style,
    find_style,
    read_bvh,
    save_style,
    tells_quadruped,
)
from .clip.recording.picture import save_clip_picture
from .engine import generate
from .engine.batch import generate_all
from .errors import FootfallError, TaskError
from .motion import Motion, load_motion, save_motion
from .motion.measures import measure
from .motion.picture import save_picture
from .scenarios.scenarios import SCENARIOS, scenario
from .task import Task, load_task
from .terrain import Flat, Ground, MeshGround


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status. Messages about wrong input go to stderr."""
    asked = _parser().parse_args(arguments)
    try:
        asked.do(asked)
    except FootfallError as error:
        print(f"footfall: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"footfall: {error.filename or 'file'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("footfall: stopped; nothing was written", file=sys.stderr)
        return 130
    return 0


def ground_of(motion: Motion) -> Ground:
    """The ground that a motion file holds."""
    if motion.terrain_vertices is None or motion.terrain_triangles is None:
        return Flat()
    return MeshGround(motion.terrain_vertices, motion.terrain_triangles)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="footfall", description="Plan physically valid locomotion.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("scenarios", help="list the named scenarios")
    listing.set_defaults(do=_scenarios)
    run = commands.add_parser("run", help="generate a scenario's motion")
    run.add_argument("scenario", metavar="SCENARIO", help="its name, as `footfall scenarios` lists it")
    run.add_argument("--fps", type=float, default=30.0, metavar="F", help="frames per second (30)")
    run.add_argument("--seconds", type=float, default=10.0, metavar="S", help="length of the clip (10)")
    run.add_argument("--seed", type=int, default=0, metavar="N", help="of every random choice (0)")
    run.add_argument("--speed", type=float, metavar="V", help="m/s, instead of the scenario's own")
    run.add_argument("--character", metavar="C", help="another body: a built-in one, or a file (.toml, .xml, .urdf)")
    run.add_argument("--style", metavar="STYLE", help="one of the body's shelf, a style's file (.toml), or of people a clip (.bvh)")
    run.add_argument("--mix", action="append", default=[], metavar="STYLE=SHARE",
                     help="another style and how much of it is mixed in, such as proud=0.3; may be said more than once")
    run.add_argument("--upper", metavar="STYLE",
                     help="a style whose chest, arms and head are taken, or a clip of somebody who stands")
    run.add_argument("--gait", metavar="G", help="of a body that has a choice of them, to be kept")
    run.add_argument("--seeds", type=int, metavar="N", help="seeds 0 to N - 1, each into a folder of its own, on all cores")
    run.add_argument("--physics", choices=("mujoco", "bullet"),
                     help="what moves a body of the engine 'preview'; bullet needs PyBullet (mujoco)")
    run.set_defaults(do=_run)
    made = commands.add_parser("generate", help="generate the motion of a task file")
    made.add_argument("task", type=Path, metavar="TASK.toml")
    made.set_defaults(do=lambda a: _generate(load_task(a.task), a.out))
    for command in (run, made):
        command.add_argument("--out", type=Path, required=True, metavar="DIR", help="where motion.npz and report.json go")
    plot = commands.add_parser("plot", help="draw a motion: strip of frames, forces, footprints")
    plot.add_argument("motion", type=Path, metavar="MOTION.npz")
    plot.add_argument("-o", "--out", type=Path, required=True, metavar="PICTURE.png")
    plot.add_argument("--from", dest="begin", type=float, metavar="S", help="where the strip begins, s")
    plot.add_argument("--to", dest="end", type=float, metavar="S", help="where it ends, s")
    plot.set_defaults(do=_plot)
    shown = commands.add_parser("style", help="tell of a style, or what a clip shows of which one would be made; save it")
    shown.add_argument("style", metavar="STYLE", help="one of the shelf, a style's file (.toml), or a clip that shows it (.bvh)")
    shown.add_argument("--plot", type=Path, metavar="PICTURE.png", help="draw the clip's stride, its contacts and its curves")
    shown.add_argument("--save", type=Path, metavar="FILE.toml", help="write the style to a file that needs no other beside it")
    shown.set_defaults(do=_style)
    timed = commands.add_parser("bench", help="computing time by scenario and stage")
    timed.add_argument("--json", action="store_true", help="as JSON instead of a table")
    timed.set_defaults(do=lambda a: print(bench(as_json=a.json)))
    return parser


def _scenarios(_: argparse.Namespace) -> None:
    width = max(len(name) for name in SCENARIOS)
    for entry in SCENARIOS.values():
        print(f"{entry.name:{width}}  {entry.speed:g} m/s: {entry.about}")


def _run(asked: argparse.Namespace) -> None:
    wishes = {name: wish for name in ("character", "gait", "style", "upper") if (wish := getattr(asked, name)) is not None}
    if asked.mix:
        wishes["mixed"] = tuple(_share(said) for said in asked.mix)

    def task(seed: int) -> Task:
        return replace(scenario(asked.scenario).task(asked.fps, asked.seconds, seed, asked.speed), **wishes)

    if asked.physics is not None and asked.seeds is not None:
        raise TaskError("--physics is for one motion at a time; leave --seeds out.")
    if asked.seeds is None:
        _generate(task(asked.seed), asked.out, asked.physics)
    elif asked.seeds < 1:
        raise TaskError(f"{asked.seeds} seeds were asked for; it must be at least 1.")
    else:
        for line in generate_all([task(seed) for seed in range(asked.seeds)], asked.out):
            print(line, flush=True)


def _share(said: str) -> Share:
    style, _, share = said.rpartition("=")
    try:
        return Share(style, float(share))
    except ValueError as error:
        raise TaskError(f"{said!r} names no share of a style; write STYLE=SHARE, such as proud=0.3.") from error


def _generate(task: Task, out: Path, physics: str | None = None) -> None:
    motion = generate(task, _tell) if physics is None else _simulated(task, physics)
    path = save_motion(motion, out)
    print(f"{path}: {motion.frames} frames, {motion.report.seconds['total']:.2f} s of computing")
    for note in motion.report.notes:
        print(f"  {note}")
    found = measure(motion, task.ground.height)
    for name, value in asdict(found).items():
        print(f"  {name:18} {value:.4g}")


def _simulated(task: Task, physics: str) -> Motion:
    if task.engine != "preview":
        raise TaskError(f"{task.name} is of the engine {task.engine!r}, in which no physics engine moves anything; leave --physics "
                        "out, or take a scenario whose name begins with preview.")
    # only now: most runs need no physics engine
    from .engine.preview import generate as simulate
    from .simulate import PHYSICS

    return simulate(task, _tell, PHYSICS[physics])


def _tell(stage: str, share: float) -> None:
    if sys.stderr.isatty():
        end = "\n" if share >= 1 else ""
        print(f"\r{stage:10} {100 * share:3.0f} %", end=end, file=sys.stderr, flush=True)


def _style(asked: argparse.Namespace) -> None:
    path = Path(asked.style)
    clip = clip_shown(path) if path.suffix.lower() == ".bvh" else None
    style: Style | QuadrupedStyle
    if isinstance(clip, UnderstoodQuadruped) or tells_quadruped(path):
        style = find_quadruped_style(path)
    else:
        style = find_style(asked.style)
    if clip is not None:
        _tell_of_clip(path, clip, asked.plot)
    elif asked.plot:
        raise TaskError(f"Pictures are drawn of clips (.bvh); {asked.style} is none.")
    else:
        print(f"{style.name}: {style.about or 'a style'}")
        print(f"  goes at {style.preferred:.3g} sqrt(g l) by itself, {_range_of(style)}")
        for source in style.sources:
            print(f"  {source}")
    if asked.save:
        print(f"{save_style(style, asked.save)}: the style {style.name}")


def _range_of(style: Style | QuadrupedStyle) -> str:
    if isinstance(style, QuadrupedStyle):
        return f"on four legs, in {'a ' + style.gait if style.gait else 'any gait'}"
    return f"told at {len(style.cycles)} speeds from {style.cycles[0].speed:.3g} to {style.cycles[-1].speed:.3g}"


def _tell_of_clip(path: Path, found: Understood | UnderstoodQuadruped, picture: Path | None) -> None:
    recording = read_bvh(path)
    if picture and isinstance(found, UnderstoodQuadruped):
        raise TaskError(f"Pictures are drawn of people's clips; {path.name} is one of a body on four legs. Leave --plot out.")
    if picture and isinstance(found, Understood):
        save_clip_picture(recording, found, picture)
    high, legs = (found.hip_height, "four legs") if isinstance(found, UnderstoodQuadruped) else (found.leg_length, "legs")
    print(f"{found.name}: a {found.gait} at {found.speed:.2f} m/s, on {legs} of {high:.2f} m")
    print(f"  its cleanest stride is from {found.begin:.2f} to {found.end:.2f} s, frames {round(found.begin * recording.fps)} to "
          f"{round(found.end * recording.fps)} of {recording.frames}; {len(found.steps)} contacts in all")
    for note in (*found.notes, *(found.strips if isinstance(found, UnderstoodQuadruped) else ())):
        print(f"  {note}")
    for name, value in asdict(replace(found, steps=(), notes=())).items():
        if isinstance(value, float):
            print(f"  {name:18} {value:.4g}")


def _plot(asked: argparse.Namespace) -> None:
    motion = load_motion(asked.motion)
    save_picture(motion, asked.out, ground_of(motion).height, asked.begin, asked.end)


if __name__ == "__main__":
    sys.exit(main())
