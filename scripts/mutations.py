"""Change one constant at a time, and report whether the tests that should notice do.

    python scripts/mutations.py                      all; takes an hour of one core
    python scripts/mutations.py turns stopping       those whose names contain a word
    python scripts/mutations.py --check              only whether every constant is still there

Each change is made in a copy of the repository, in which only the listed tests run. A change that
no test notices stands for a test that is missing.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = (
    "__init__.py",
    "registration.py",
    "blender_manifest.toml",
    "pyproject.toml",
    "addon",
    "core",
    "operators",
    "panels",
    "presets",
    "scripts",
    "tests",
)
MAX_SECONDS = 900  # of the tests of one change

SKETCH = ("tests/core/sketch/test_human_limits.py", "tests/core/sketch/test_sketch.py")
HUMAN = "tests/core/engine/test_human.py"
PLAN = ("tests/core/plan/test_plan.py", HUMAN)
POSES = (
    "tests/core/fullbody/test_roll.py",
    "tests/core/plan/test_plan.py",
    "tests/core/fullbody/test_limbs_apart.py",
    "tests/core/engine/test_apart.py",
    HUMAN,
)
BODY = (
    "tests/core/character/test_segment_masses.py",
    "tests/core/character/test_character.py",
    "tests/core/character/test_bodies.py",
)
RIGS = ("tests/core/character/test_rig_builds.py", "tests/blender/bake/test_bakes.py")
ROBOTS = ("tests/core/character/test_robots.py",)
ROOT_MOTION = ("tests/blender/bake/test_root_motion.py",)


@dataclass(frozen=True)
class Mutation:
    """A change of one constant.

    Args:
        name: what changes.
        path: of the file, from the root of the repository.
        field: name of the constant; of a parameter class `Class.field`; of an instance of one
            `INSTANCE.argument`.
        factor: of its value.
        tests: files of tests that should notice.
    """

    name: str
    path: str
    field: str
    factor: float
    tests: tuple[str, ...]

    def apply(self, text: str) -> str:
        """Return the text of the file with the change.

        Raises:
            ValueError: there is no such constant.
        """
        node = _find_value(ast.parse(text), self.field)
        lines = text.splitlines(keepends=True)
        begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
        end = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
        return f"{text[:begin]}{self.factor!r} * ({text[begin:end]}){text[end:]}"


@dataclass(frozen=True)
class Replacement:
    """A change of text that is not a single constant.

    Args:
        name: what changes.
        path: of the file, from the root of the repository.
        old: text that occurs once.
        new: text in its place.
        tests: files of tests that should notice.
    """

    name: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]

    def apply(self, text: str) -> str:
        """Return the text of the file with the change.

        Raises:
            ValueError: the old text does not occur exactly once.
        """
        if text.count(self.old) != 1:
            raise ValueError(f"{self.path} has {self.old!r} {text.count(self.old)} times")
        return text.replace(self.old, self.new)


def _find_value(module: ast.Module, field: str) -> ast.expr:
    """Return the expression that a constant, a field or an argument has as its value."""
    owner, _, name = field.rpartition(".")
    body: list[ast.stmt] = module.body
    if owner.isupper():
        call = _find_value(module, owner)
        keywords = call.keywords if isinstance(call, ast.Call) else []
        for keyword in keywords:
            if keyword.arg == name:
                return keyword.value
        raise ValueError(f"there is no argument {field}")
    if owner:
        classes = [n for n in body if isinstance(n, ast.ClassDef) and n.name == owner]
        body = classes[0].body if classes else []
    for node in body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        if any(isinstance(t, ast.Name) and t.id == name for t in targets) and node.value:  # type: ignore[attr-defined]
            return node.value  # type: ignore[attr-defined,no-any-return]
    raise ValueError(f"there is no constant {field}")


def _mutate_sketch() -> list[Mutation | Replacement]:
    course = "core/sketch/course"
    steps = "core/sketch/footsteps"
    return [
        Mutation(
            "turns with twice the sideways acceleration",
            f"{course}/desired_motion.py",
            "SpeedLimits.max_lateral_acceleration",
            2.0,
            SKETCH,
        ),
        Mutation(
            "stopping twice as hard at the end of the path",
            f"{course}/desired_motion.py",
            "SpeedLimits.path_end_deceleration",
            2.0,
            SKETCH,
        ),
        Mutation(
            "braking twice as hard along the path",
            f"{course}/desired_motion.py",
            "SpeedLimits.max_deceleration",
            2.0,
            SKETCH,
        ),
        Mutation(
            "speeding up twice as hard",
            f"{course}/desired_motion.py",
            "SpeedLimits.max_acceleration",
            2.0,
            SKETCH,
        ),
        Mutation(
            "starting at once from standing",
            f"{course}/desired_motion.py",
            "SpeedLimits.start_standing_time",
            0.0,
            SKETCH,
        ),
        Mutation(
            "pinned footsteps at once",
            f"{steps}/pinned.py",
            "PinnedStepParameters.min_step_ratio",
            0.0,
            SKETCH,
        ),
        Mutation(
            "bodies that do not return to their path",
            f"{course}/tracking.py",
            "PathTrackingParameters.rate",
            0.0,
            SKETCH,
        ),
        Mutation(
            "walks without double support",
            f"{steps}/timing.py",
            "StepTimingParameters.min_double_support",
            0.0,
            SKETCH,
        ),
        Mutation(
            "swings of half the time",
            f"{steps}/timing.py",
            "StepTimingParameters.min_swing_share",
            0.5,
            SKETCH,
        ),
        Mutation(
            "steps onto walls",
            f"{steps}/stepper.py",
            "StepParameters.max_height_change",
            4.0,
            SKETCH,
        ),
        Replacement(
            "pushes scaled by t",
            "core/task/units.py",
            "FORCE = Dimension(length=1, time=-2)",
            "FORCE = Dimension(length=1, time=-1)",
            ("tests/core/task/test_units.py",),
        ),
    ]


def _mutate_plan() -> list[Mutation | Replacement]:
    weights = "core/plan/weights.py"
    stepping = "STEPPING_PLAN_WEIGHTS"
    reaches = "STEPPING_REACH_RATIOS = (1.06, 1.14)"
    return [
        Mutation("three times the friction", weights, "FRICTION_SHARE", 3.0, PLAN),
        Mutation("feet that press less", weights, "PlanLimits.max_force", 0.3, PLAN),
        Replacement(
            "legs a fifth shorter",
            "core/engine/centroidal/modes/walking.py",
            reaches,
            "STEPPING_REACH_RATIOS = (0.85, 0.91)",
            PLAN,
        ),
        Mutation("forces without weight", weights, f"{stepping}.force", 0.01, PLAN),
        Mutation("bodies free to turn", weights, f"{stepping}.rotation", 0.01, PLAN),
        Mutation("heel against ball", weights, "PlanWeights.opposing_forces", 0.0, PLAN),
        Mutation("forces in jerks", weights, f"{stepping}.coefficient_difference", 0.0, PLAN),
    ]


def _mutate_poses() -> list[Mutation | Replacement]:
    weights = "core/fullbody/weights.py"
    stepping = "STEPPING_BODY_WEIGHTS"
    roll = "core/fullbody/roll.py"
    return [
        Mutation("the center of mass adrift", weights, "BodyWeights.com", 1e-4, POSES),
        Mutation("no momentum", weights, "BodyWeights.momentum", 0.0, POSES),
        Mutation("stiff knees", weights, f"{stepping}.knee", 300.0, POSES),
        Mutation("jerks of joints", weights, f"{stepping}.smooth", 0.0, POSES),
        Mutation("heels that hardly rise", roll, "RollParameters.max_toe_off_pitch", 0.3, POSES),
        Mutation("overstretched legs", roll, "RollParameters.max_leg_stretch", 1.1, POSES),
    ]


def _mutate_character() -> list[Mutation | Replacement]:
    humanoid = "core/character/bodies/humanoid.toml"
    return [
        Replacement("thighs a third thicker", humanoid, "radius = 0.088", "radius = 0.117", BODY),
        Mutation(
            "masses that need not add up", "core/character/link.py", "MASS_TOLERANCE", 1e3, BODY
        ),
        Mutation(
            "knees of robots bent less",
            "core/character/from_robot/stand.py",
            "RobotStandParameters.knee_bend",
            0.1,
            ROBOTS,
        ),
        Mutation(
            "standing robots whose feet miss",
            "core/character/from_robot/stand.py",
            "RobotStandParameters.max_foot_error",
            100.0,
            ROBOTS,
        ),
        Mutation(
            "thick links of skin",
            "core/character/from_rig/stance_rig.py",
            "RestStanceParameters.skin_radius_share",
            2.0,
            RIGS,
        ),
    ]


def _mutate_bakes() -> list[Mutation | Replacement]:
    return [
        Mutation(
            "the ground window of root motion",
            "addon/bake/root_motion.py",
            "GROUND_WINDOW_TIME",
            0.1,
            ROOT_MOTION,
        ),
        Mutation(
            "root motion that sways",
            "addon/bake/root_motion.py",
            "SMOOTHING_TIME",
            0.1,
            ROOT_MOTION,
        ),
        Replacement(
            "extrapolation of pushed-down strips",
            "addon/bake/destination.py",
            "    strip.extrapolation = extrapolation\n",
            '    strip.extrapolation = "NOTHING"\n',
            ("tests/blender/bake/test_user_changes.py",),
        ),
        Mutation(
            "few keys that miss the plan",
            "addon/bake/key_reduction.py",
            "ReductionParameters.stance_tolerance_share",
            20.0,
            ("tests/blender/bake/test_bakes.py",),
        ),
    ]


def list_mutations() -> list[Mutation | Replacement]:
    """Return all changes."""
    return [
        *_mutate_sketch(),
        *_mutate_plan(),
        *_mutate_poses(),
        *_mutate_character(),
        *_mutate_bakes(),
    ]


def copy_repository(folder: Path) -> Path:
    """Copy what the tests need into a folder, and return the copy."""
    copy = folder / "work" / "footfall"
    copy.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    shared = ROOT.parent / "shared"
    if shared.is_dir():
        (folder / "work" / "shared").symlink_to(shared.resolve())
    return copy


def run_tests(copy: Path, tests: tuple[str, ...]) -> str:
    """Run tests in a copy up to the first failure, and return what came of them."""
    environment = os.environ | {
        "PYTHONPATH": str(copy.parent),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        result = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", *tests],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "noticed: too slow"
    failed = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if result.returncode == 0:
        return "NOT NOTICED"
    if result.returncode == 1 and failed:
        return f"noticed: {failed[0].split(' - ')[0].removeprefix('FAILED ')}"
    return f"no tests ran: {(result.stdout + result.stderr).strip()[-200:]}"


def main() -> int:
    """Make each change, print what came of it, and return the number that no test noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="parts of names")
    parser.add_argument("--check", action="store_true", help="run no tests")
    options = parser.parse_args()
    mutations = [
        m for m in list_mutations() if not options.words or any(w in m.name for w in options.words)
    ]
    unnoticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_repository(Path(folder))
        for mutation in mutations:
            path = copy / mutation.path
            text = path.read_text(encoding="utf-8")
            changed = mutation.apply(text)
            if options.check:
                continue
            start = time.perf_counter()
            path.write_text(changed, encoding="utf-8")
            outcome = run_tests(copy, mutation.tests)
            path.write_text(text, encoding="utf-8")
            unnoticed += not outcome.startswith("noticed")
            print(f"{mutation.name:48} {time.perf_counter() - start:4.0f} s  {outcome}", flush=True)
    print(f"{len(mutations)} changes, {unnoticed} not noticed")
    return unnoticed


if __name__ == "__main__":
    sys.exit(main())
