"""Draw random tasks over every public field and count what comes of them.

    python scripts/random_tasks.py 3000            print a table
    python scripts/random_tasks.py 1 --seed 325    print what becomes of one task

A task is *walkable* if a person could do what it demands; of those nearly all are to be delivered
as they are. Every other task is to end with a motion that is sound, or with a message.
"""

from __future__ import annotations

import argparse
import json
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path as FilePath

import numpy as np
from footfall import measure
from footfall.core.character.load import load_builtin
from footfall.core.clip import list_builtin_styles
from footfall.core.clip.style.knobs import Knobs
from footfall.core.clip.style.recipe import StyleShare
from footfall.core.engine import generate
from footfall.core.engine.shared.character import load_task_character
from footfall.core.engine.shared.scaling import to_human_scale
from footfall.core.errors import FootfallError
from footfall.core.sketch.gait.fixed_gaits import list_gait_names
from footfall.core.task import (
    ForbiddenArea,
    GazeTarget,
    Hurdle,
    Jump,
    KeyPose,
    MonkeyBars,
    Path,
    PathFacing,
    PinnedStep,
    Profile,
    Projectile,
    Push,
    SpeedProfile,
    StandingPose,
    SteppingStones,
    Task,
)
from footfall.core.task.profile import FacingOffset
from footfall.core.terrain import (
    FlatGround,
    Ground,
    Slab,
    cut_gaps,
    join_grounds,
    make_rolling_hills,
    make_slab_ground,
    make_stepping_stones,
)

HUMANOID_SHARE = 0.6
MAX_STEP_RATE = 3.5  # of a person [1/s]
GROUND_SPACING = 0.1  # of places on a path where ground is looked for [m]
# Speed of a link and drift of a contact beyond which a motion counts as broken [m/s], [m]; falls
# slide, and fly as fast as pushes throw them
BROKEN_SPEED = 40.0
BROKEN_DRIFT = 0.1
MIN_CONTACT_FPS = 14.0  # at human scale [1/s], at which contacts are measured
ANIMALS = ("dog", "horse", "anymal", "anymal-large", "cassie", "luxo", "hexapod", "spider")
PUSHED_PARTS = ("com", "chest", "head", "pelvis", "hand.L", "foot.R")
# Share of the tasks without extras that are hard for a person, and share of tasks with each extra.
CALM_SHARE = 0.4
EXTRA_SHARE = 0.15
HARD_EXTRAS = frozenset(
    {
        "pushes",
        "hurdles",
        "stones",
        "uneven stones",
        "jumps",
        "pinned",
        "knobs",
        "width",
        "bars",
        "projectiles",
    }
)
# Words of the notes by kind of flaw.
BLEMISH_WORDS = {
    "a foot on the ground moves": "a foot on the ground moves",
    "a foot is in the ground": "in the ground",
    "unexplained forces": "are unexplained",
    "a jerk": "jerks",
}
Draw = np.random.Generator
Changes = dict[str, object]


@dataclass(frozen=True)
class RandomTask:
    """A task, and whether a person could do what it demands."""

    task: Task
    is_walkable: bool


@dataclass(frozen=True)
class Outcome:
    """What became of a task: delivered, remedied, fall, refused, exception or broken.

    Attributes:
        detail: notes of the motion, or the message.
        blemishes: kinds of smaller flaws of a motion that was delivered, as its notes state them.
    """

    seed: int
    kind: str
    is_walkable: bool
    detail: str = ""
    blemishes: tuple[str, ...] = ()


def draw_task(seed: int) -> RandomTask:
    """Return the random task of a seed."""
    draw = np.random.default_rng(seed)
    is_humanoid = draw.random() < HUMANOID_SHARE
    top_speed = 2.0 if draw.random() < 0.6 else 10.0
    task = Task(
        draw_path(draw),
        SpeedProfile(draw.uniform(0.0, top_speed)),
        character="humanoid" if is_humanoid else str(draw.choice(ANIMALS)),
        ground=draw_ground(draw),
        seconds=float(draw.choice([0.3, 2.0, 3.0, 5.0])),
        fps=float(draw.choice([12.0, 24.0, 30.0, 60.0, 120.0])),
        gravity=float(draw.choice([9.81, 9.81, 9.81, 1.62, 20.0])),
        friction=float(draw.choice([1.0, 1.0, 0.6, 0.3, 0.2])),
        start=str(draw.choice(["moving", "moving", "standing"])),
        stop_at_end=bool(draw.random() < 0.7),
        seed=seed,
    )
    extras = HUMANOID_EXTRAS if is_humanoid else ANIMAL_EXTRAS
    is_calm = draw.random() < CALM_SHARE
    names = [
        name
        for name in extras
        if draw.random() < EXTRA_SHARE and not (is_calm and name in HARD_EXTRAS)
    ]
    for alone in ("jumps", "bars", "projectiles"):  # which exclude everything else
        if alone in names:
            names = [alone]
    for name in names:
        try:
            task = replace(task, **extras[name](draw))  # type: ignore[arg-type]
        except FootfallError:
            continue  # a combination that tasks exclude
    return RandomTask(task, is_walkable(task, names))


def is_walkable(task: Task, extras: list[str]) -> bool:
    """Return whether a person could surely do a task: calm, on firm ground, without events."""
    if task.character != "humanoid" or HARD_EXTRAS & set(extras):
        return False
    stride_length = task.stride_length
    return (
        task.speed.max_speed <= 2.0
        and task.friction >= 0.6
        and task.gravity == 9.81
        and (
            stride_length is None
            or 2 * task.speed.max_speed <= MAX_STEP_RATE * float(min(stride_length.values))
        )
        and _is_on_ground(task)
    )


def _is_on_ground(task: Task) -> bool:
    """Return whether there is ground everywhere under the path that a task can reach."""
    reach = min(task.path.length, task.speed.max_speed * task.seconds)
    places = task.path.position_at(np.arange(0.0, reach + GROUND_SPACING, GROUND_SPACING))
    return bool(np.isfinite(task.ground.sample_heights(places)).all())


def draw_path(draw: Draw) -> Path:
    """Return a straight line, a line with corners, a loop, or a path of a centimeter."""
    kind = draw.random()
    if kind < 0.3:
        return Path([[0, 0], [60, 0]])
    if kind < 0.35:
        return Path([[0, 0], [0.01, 0]])
    if kind < 0.5:
        angle = np.linspace(0, 2 * np.pi, 40)
        radius = draw.uniform(0.5, 6.0)
        return Path(radius * np.column_stack([np.sin(angle), 1 - np.cos(angle)]))
    points = [np.zeros(2)]
    heading = 0.0
    for _ in range(draw.integers(1, 6)):
        heading += draw.uniform(-2.5, 2.5)
        step = draw.uniform(0.2, 8.0) * np.array([np.cos(heading), np.sin(heading)])
        points.append(points[-1] + step)
    return Path(points)


def draw_ground(draw: Draw) -> Ground:
    """Return level ground, hills, or hills with gaps."""
    kind = draw.random()
    if kind < 0.5:
        return FlatGround()
    hills = make_rolling_hills(
        draw,
        60.0,
        60.0,
        bump_height=draw.uniform(0, 0.2),
        slope_deg=draw.uniform(0, 15),
        spacing=0.2,
    )
    if kind < 0.85:
        return hills
    station = 4.0
    gaps = []
    while station < 28:
        gaps.append((station, station + draw.uniform(0.2, 1.2)))
        station = gaps[-1][1] + draw.uniform(1.5, 4)
    return cut_gaps(hills, gaps)


def draw_knobs(draw: Draw) -> Changes:
    """Return knobs between their ends, one in four at an end."""
    values = {}
    for knob in fields(Knobs):
        if draw.random() < 0.3:
            low, high = knob.metadata["least"], knob.metadata["most"]
            at_end = draw.random() < 0.25
            values[knob.name] = float(
                draw.choice([low, high]) if at_end else draw.uniform(low, high)
            )
    return {"knobs": Knobs(**values)}


def draw_pushes(draw: Draw) -> Changes:
    """Return one or two pushes of up to 800 N."""
    pushes = []
    for _ in range(draw.integers(1, 3)):
        angle = draw.uniform(0, 2 * np.pi)
        size = draw.uniform(20, 800)
        force = (size * np.cos(angle), size * np.sin(angle), 0.0)
        pushes.append(Push(draw.uniform(0.2, 3.0), force, body_part=str(draw.choice(PUSHED_PARTS))))
    return {"pushes": tuple(pushes)}


def draw_animal_pushes(draw: Draw) -> Changes:
    """Return a push of up to 800 N, which throws small bodies far."""
    angle = draw.uniform(0, 2 * np.pi)
    size = draw.uniform(20, 800)
    force = (size * np.cos(angle), size * np.sin(angle), 0.0)
    return {
        "pushes": (
            Push(draw.uniform(0.5, 2.0), force, body_part=str(draw.choice(["com", "pelvis"]))),
        )
    }


def draw_pinned(draw: Draw) -> Changes:
    """Return pinned footsteps at random."""
    return {
        "pinned_steps": tuple(
            PinnedStep(
                str(draw.choice(["L", "R"])),
                draw.uniform(0.5, 4.0),
                (draw.uniform(0.0, 5.0), draw.uniform(-0.6, 0.6)),
            )
            for _ in range(draw.integers(1, 4))
        )
    }


def draw_jumps(draw: Draw) -> Changes:
    """Return jumps, from standing."""
    jumps = [
        Jump(
            float(time),
            draw.uniform(0.05, 1.0),
            draw.uniform(-0.3, 1.5),
            turn=draw.uniform(-3, 3),
            flips=int(draw.integers(-1, 2)),
        )
        for time in np.cumsum(draw.uniform(1.0, 3.0, draw.integers(1, 3)))
    ]
    return {"jumps": tuple(jumps), "start": "standing"}


def draw_hurdles(draw: Draw) -> Changes:
    """Return hurdles across the x axis."""
    stations = np.cumsum(draw.uniform(2.0, 5.0, 2))
    height = draw.uniform(0.1, 0.9)
    return {"hurdles": tuple(Hurdle((x, -1.0), (x, 1.0), height) for x in stations)}


def draw_stones(draw: Draw) -> Changes:
    """Return stones along the x axis."""
    station = np.cumsum(draw.uniform(0.3, 0.7, 12))
    lateral = 0.12 * (-1.0) ** np.arange(12)
    return {"stepping_stones": SteppingStones(np.column_stack([station, lateral]))}


def draw_uneven_stones(draw: Draw) -> Changes:
    """Return stones of unequal height along the x axis, between two floors."""
    station = 2.0 + np.cumsum(draw.uniform(0.3, 0.7, 14))
    lateral = 0.15 * (-1.0) ** np.arange(14) + draw.uniform(-0.15, 0.15, 14)
    tops = np.column_stack([station, lateral, draw.uniform(-0.08, 0.08, 14)])
    floors = make_slab_ground(
        [Slab((-20.0, 1.8), (-4.0, 4.0)), Slab((station[-1] + 0.5, 60.0), (-4.0, 4.0))]
    )
    stones = make_stepping_stones(tops, draw.uniform(0.15, 0.25, 14))
    return {
        "path": Path([[0.0, 0.0], [40.0, 0.0]]),
        "ground": join_grounds([floors, stones]),
        "stepping_stones": SteppingStones(tops[:, :2]),
    }


def draw_first_pose(draw: Draw) -> Changes:
    """Return a standing pose with a turned chest, up to 3 cm too high or too low."""
    height = load_builtin("humanoid").root_height + draw.uniform(-0.03, 0.03)
    axis = draw.normal(size=3)
    axis *= np.sin(0.1) / np.linalg.norm(axis)
    turn = (float(np.cos(0.1)), *(float(value) for value in axis))
    pose = StandingPose((draw.uniform(-0.02, 0.02), 0.0, height), {"chest": turn})
    return {"first_pose": pose, "start": "standing"}


def draw_mixed_styles(draw: Draw) -> Changes:
    """Return a second style, and one for the upper body."""
    first, second = draw.choice(list_builtin_styles(), 2)
    share = StyleShare(str(first), float(draw.uniform(0.0, 1.0)))
    return {"mixed_styles": (share,), "upper_style": str(second)}


def draw_bars(draw: Draw) -> Changes:
    """Return rungs to move along hand over hand."""
    station = np.cumsum(draw.uniform(0.3, 0.6, 10))
    height = 2.4 + draw.uniform(-0.1, 0.1, 10)
    rungs = np.column_stack([station, np.zeros(10), height])
    return {"monkey_bars": MonkeyBars(rungs), "start": "standing", "ground": FlatGround()}


def draw_path_facing(draw: Draw) -> Changes:
    """Return headings in the world by the distance along the path."""
    return {"facing": PathFacing(draw.uniform(-180, 180, 2), [0.5, 3.0])}


def draw_varying_speed(draw: Draw) -> Changes:
    """Return a speed that changes twice."""
    return {"speed": SpeedProfile(draw.uniform(0.0, 2.0, 3), [0.0, 1.0, 2.5])}


def draw_projectiles(draw: Draw) -> Changes:
    """Return a thrown ball, for the engine whose bodies are hit by balls."""
    ball = Projectile(
        draw.uniform(0.5, 2.0), draw.uniform(4.0, 15.0), direction=draw.uniform(-180, 180)
    )
    return {"projectiles": (ball,), "engine": "preview"}


def draw_facing(draw: Draw) -> Changes:
    """Return a turn against the path."""
    return {"facing_offset": FacingOffset([0.0, draw.uniform(-180, 180)], [0.5, 2.5])}


def draw_forbidden(draw: Draw) -> Changes:
    """Return discs of forbidden ground."""
    return {
        "forbidden_areas": tuple(
            ForbiddenArea(((draw.uniform(1, 5), draw.uniform(-0.4, 0.4)),), draw.uniform(0.1, 0.4))
            for _ in range(2)
        )
    }


def draw_key_pose(draw: Draw) -> Changes:
    """Return a pose of the head."""
    turn = (np.cos(0.2), 0.0, 0.0, np.sin(0.2))
    return {"key_poses": (KeyPose(draw.uniform(0.5, 2.0), {"head": turn}),)}


HUMANOID_EXTRAS: dict[str, Callable[[Draw], Changes]] = {
    "style": lambda draw: {"style": str(draw.choice(list_builtin_styles()))},
    "knobs": draw_knobs,
    "pushes": draw_pushes,
    "pinned": draw_pinned,
    "jumps": draw_jumps,
    "hurdles": draw_hurdles,
    "stones": draw_stones,
    "uneven stones": draw_uneven_stones,
    "first pose": draw_first_pose,
    "mixed styles": draw_mixed_styles,
    "bars": draw_bars,
    "path facing": draw_path_facing,
    "varying speed": draw_varying_speed,
    "projectiles": draw_projectiles,
    "facing": draw_facing,
    "forbidden": draw_forbidden,
    "key pose": draw_key_pose,
    "gaze": lambda draw: {"gaze": GazeTarget([draw.uniform(-5, 5, 3)], [0.0])},
    "width": lambda draw: {"step_width_factor": Profile("width", draw.uniform(0.0, 2.5))},
    "stride": lambda draw: {"stride_length": Profile("stride", draw.uniform(0.4, 2.2))},
    "tread": lambda draw: {"tread": "forefoot"},
    "mass": lambda draw: {"mass": draw.uniform(20, 200)},
}
ANIMAL_EXTRAS: dict[str, Callable[[Draw], Changes]] = {
    "pushes": draw_animal_pushes,
    "gait": lambda draw: {"gait": str(draw.choice(list_gait_names()))},
    "mass": lambda draw: {"mass": draw.uniform(5, 400)},
}


def compute_time_scale(task: Task) -> float:
    """Return the duration of a movement of a task's body, as a multiple of that of a human."""
    return to_human_scale(task, load_task_character(task)).scale.time


def try_task(seed: int) -> Outcome:
    """Generate the random task of a seed and return what became of it."""
    random_task = draw_task(seed)
    walkable = random_task.is_walkable
    try:
        motion = generate(random_task.task)
    except FootfallError as error:
        return Outcome(seed, "refused", walkable, str(error))
    except Exception:  # to be counted, whatever it is
        return Outcome(seed, "exception", walkable, traceback.format_exc(limit=-2))
    velocity = np.diff(motion.link_position, axis=0) * motion.fps
    speed = float(np.linalg.norm(velocity, axis=2).max(initial=0.0))
    # Two frames far apart may belong to two footsteps, between which a foot moves.
    is_fine = motion.fps * compute_time_scale(random_task.task) >= MIN_CONTACT_FPS
    notes = "; ".join(motion.report.notes)
    has_fallen = any(words in notes for words in ("the body falls", "fallen: "))
    drift = measure(motion).drift_m if is_fine and not has_fallen else 0.0
    max_speed = BROKEN_SPEED + (_compute_push_speed(random_task.task) if has_fallen else 0.0)
    if not speed <= max_speed or drift > BROKEN_DRIFT:
        return Outcome(seed, "broken", walkable, f"{speed:.0f} m/s, drift {drift:.3f} m; {notes}")
    if has_fallen:
        return Outcome(seed, "fall", walkable, notes)
    kind = "remedied" if "otherwise, " in notes else "delivered"
    return Outcome(seed, kind, walkable, notes, list_blemishes(motion.report.notes))


def _compute_push_speed(task: Task) -> float:
    """Return the speed that the pushes of a task give to a free body [m/s]."""
    mass = task.mass or load_task_character(task).mass
    return sum(float(np.linalg.norm(push.force)) * push.seconds for push in task.pushes) / mass


def list_blemishes(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of flaws that notes of the judge state."""
    return tuple(
        kind
        for kind, words in BLEMISH_WORDS.items()
        if any(note.startswith("at ") and words in note for note in notes)
    )


def read_log(log: FilePath | None) -> dict[int, Outcome]:
    """Return the outcomes in a log by seed; none if there is no such file."""
    if log is None or not log.exists():
        return {}
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return {row["seed"]: Outcome(**row) for row in rows}


def main() -> None:
    """Print how many tasks came to what, and the details of those that went wrong."""
    parser = argparse.ArgumentParser(description="Generate random tasks and count the outcomes.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0, help="of the first task")
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument(
        "--log", type=FilePath, help="file of the outcomes, from which a stopped run continues"
    )
    parser.add_argument("--flaws", action="store_true", help="list the tasks with smaller flaws")
    options = parser.parse_args()
    done = read_log(options.log)
    seeds = range(options.seed, options.seed + options.count)
    with ProcessPoolExecutor(options.processes) as pool:
        for outcome in pool.map(try_task, [seed for seed in seeds if seed not in done]):
            done[outcome.seed] = outcome
            if options.log is not None:
                with options.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(asdict(outcome)) + "\n")
    outcomes = [done[seed] for seed in seeds]
    counts = Counter((outcome.kind, outcome.is_walkable) for outcome in outcomes)
    print("| outcome | walkable | others |\n| --- | --- | --- |")
    for kind in ("delivered", "remedied", "fall", "refused", "exception", "broken"):
        print(f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |")
    print("\n| smaller flaw of a delivered motion | walkable | others |\n| --- | --- | --- |")
    delivered = [outcome for outcome in outcomes if outcome.kind == "delivered"]
    for flaw in BLEMISH_WORDS:
        walkable, others = (
            sum(
                flaw in outcome.blemishes for outcome in delivered if outcome.is_walkable == is_easy
            )
            for is_easy in (True, False)
        )
        print(f"| {flaw} | {walkable} | {others} |")
    for outcome in outcomes:
        is_flawed = bool(outcome.blemishes) and options.flaws
        if (
            is_flawed
            or outcome.kind in ("exception", "broken")
            or (outcome.is_walkable and outcome.kind in ("remedied", "refused"))
        ):
            print(f"\n{outcome.seed} {outcome.kind}: {outcome.detail}")


if __name__ == "__main__":
    main()
