"""Change every parameter of the planned engine, and write how its motions change.

    python scripts/sensitivity.py --out docs/dev/parameters.csv    all packages
    python scripts/sensitivity.py core.plan --cases walk run       a package, on some motions

Each numeric field of the parameter classes (`WALK`, `STRIDES` …) is multiplied by `FACTORS` in
turn, and five motions that read the field are generated again, and others until one changes. The
table names the two motions that get worst, with a measure before and after, or, where no measure
gets worse, how far a link moves at most from its place with the shipped value.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import importlib
import json
import pkgutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import footfall.core as core
import numpy as np
from footfall.core.engine.centroidal.generate import generate
from footfall.core.errors import FootfallError
from footfall.core.motion import Motion
from footfall.core.motion.measures import Measures, measure
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import Task

PACKAGES = ("core.sketch", "core.plan", "core.fullbody", "core.engine.centroidal")
FACTORS = (0.5, 2.0)
FPS = 60.0
LEAST_CHANGE = 0.01  # Distance that a link moves at least if a motion changes [cm].
LONGEST = 60  # Longest time of computing of a motion [s]; a changed number may leave no end.
CASES = {  # Scenario and seconds of each motion, by how much it shows.
    "walk": ("humanoid-walk", 2.5),
    "run": ("humanoid-run", 2.0),
    "stairs": ("humanoid-stair-walk", 6.0),
    "push": ("humanoid-push", 3.6),
    "dog": ("dog-terrain", 2.5),
    "turn": ("humanoid-sharp-turn", 6.0),
    "stop": ("humanoid-walk-and-stop", 6.0),
    "hills": ("humanoid-terrain-walk", 2.5),
    "hurdles": ("humanoid-hurdles", 4.0),
    "jumps": ("humanoid-random-jumps", 4.0),
    "stones": ("humanoid-stones", 5.0),
    "bars": ("humanoid-monkeybars", 4.0),
    "limb push": ("humanoid-push", 5.5),  # its second push acts on a limb
}


@dataclass(frozen=True)
class Bound:
    """How much worse a measure must be to be listed.

    Args:
        label: what the table calls the measure, with its unit.
        scale: factor from the measure to the unit of the label.
        increase: least increase [units of the label].
    """

    label: str
    scale: float
    increase: float


BOUNDS = {
    "drift_m": Bound("drift {} mm", 1000.0, 0.5),
    "penetration_m": Bound("penetration {} mm", 1000.0, 1.5),
    "momentum_residual": Bound("momentum {} body weights", 1.0, 0.003),
    "angular_residual": Bound("angular momentum {}", 1.0, 0.004),
    "friction": Bound("friction {}", 1.0, 0.08),
    "pop_deg": Bound("pop {}°", 1.0, 0.8),
    "style_deg": Bound("style {}°", 1.0, 1.0),
    "legs_deg": Bound("legs {}°", 1.0, 1.0),
    "relaxed": Bound("relaxed {} %", 100.0, 1.0),
}


@dataclass(frozen=True)
class Parameter:
    """A numeric field of an instance of a parameter class.

    Args:
        module: module that holds the instance.
        instance: name of the instance in the module.
        field: name of the field.
    """

    module: str
    instance: str
    field: str

    @property
    def owner(self) -> Any:
        """The instance."""
        return getattr(sys.modules[self.module], self.instance)

    @property
    def value(self) -> float:
        """Value of the field."""
        return float(getattr(self.owner, self.field))


@dataclass(frozen=True)
class Case:
    """A motion with the shipped values.

    Args:
        name: name in `CASES`.
        task: task of the motion.
        motion: the motion.
        measures: measures of the motion.
    """

    name: str
    task: Task
    motion: Motion
    measures: Measures


@dataclass(frozen=True)
class Effect:
    """How a changed value changes a motion.

    Args:
        case: name of the motion.
        factor: factor of the value.
        moved_cm: largest distance of a link from its place with the shipped value [cm].
        worse: measures that get worse, as text; or the error.
    """

    case: str
    factor: float
    moved_cm: float
    worse: tuple[str, ...]


def main(arguments: list[str] | None = None) -> None:
    """Measure the chosen parameters and write the table or print it."""
    options = parse_options(arguments)
    parameters = list_parameters(options.packages)
    cases = [make_case(name) for name in options.cases]
    readers = find_readers(parameters, cases)
    lines = []
    done = load_done(options.record)
    begin = time.monotonic()
    for k, parameter in enumerate(parameters):
        key = f"{parameter.module}.{parameter.instance}.{parameter.field}"
        if key not in done:
            effects = measure_effects(parameter, readers[parameter], options.motions)
            done[key] = [dataclasses.asdict(effect) for effect in effects]
            if options.record is not None:
                options.record.write_text(json.dumps(done), encoding="utf-8")
        left = (time.monotonic() - begin) / (k + 1) * (len(parameters) - k - 1)
        print(f"{k + 1}/{len(parameters)} {key} ({left / 60:.0f} min left)", file=sys.stderr)
        lines.append((parameter, [Effect(**entry) for entry in done[key]]))
    if options.out is None:
        write_table(lines, sys.stdout)
    else:
        with options.out.open("w", encoding="utf-8", newline="") as file:
            write_table(lines, file)


def parse_options(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("packages", nargs="*", default=PACKAGES, help="such as core.plan")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=tuple(CASES))
    parser.add_argument("--motions", type=int, default=5, help="motions of a parameter")
    parser.add_argument("--record", type=Path, help="JSON file of a run to continue")
    parser.add_argument("--out", type=Path, help="CSV file; printed otherwise")
    return parser.parse_args(arguments)


def load_done(record: Path | None) -> dict[str, list[dict[str, Any]]]:
    """Return the effects of an earlier run by parameter."""
    if record is None or not record.exists():
        return {}
    done: dict[str, list[dict[str, Any]]] = json.loads(record.read_text(encoding="utf-8"))
    return done


def list_parameters(packages: tuple[str, ...]) -> list[Parameter]:
    """Return the numeric fields of all parameter instances in packages of Footfall."""
    parameters = []
    for module in pkgutil.walk_packages(core.__path__, "footfall.core."):
        if not any(module.name.startswith(f"footfall.{package}") for package in packages):
            continue
        members = vars(importlib.import_module(module.name))
        for name, instance in sorted(members.items()):
            is_defined_here = type(instance).__module__ == module.name
            if not (dataclasses.is_dataclass(instance) and is_defined_here and name.isupper()):
                continue
            parameters += [
                Parameter(module.name, name, field.name)
                for field in dataclasses.fields(instance)
                if type(getattr(instance, field.name)) in (float, int)
            ]
    return parameters


def make_case(name: str) -> Case:
    """Return a motion with the shipped values."""
    scenario, seconds = CASES[name]
    task = SCENARIOS[scenario].build_task(fps=FPS, seconds=seconds)
    motion = generate(task, _ignore_progress)
    return Case(name, task, motion, measure(motion, task.ground.sample_heights))


def find_readers(parameters: list[Parameter], cases: list[Case]) -> dict[Parameter, list[Case]]:
    """Return the motions during whose generation each parameter is read."""
    readers: dict[Parameter, list[Case]] = {parameter: [] for parameter in parameters}
    instance_names = {
        id(parameter.owner): (parameter.module, parameter.instance) for parameter in parameters
    }
    for case in cases:
        with _record_reads({type(parameter.owner) for parameter in parameters}) as reads:
            generate(case.task, _ignore_progress)
        named = {(*instance_names[i], field) for i, field in reads if i in instance_names}
        for parameter in parameters:
            if (parameter.module, parameter.instance, parameter.field) in named:
                readers[parameter].append(case)
    return readers


@contextmanager
def _record_reads(classes: set[type]) -> Iterator[set[tuple[int, str]]]:
    """Record the identity of the instance and the field of every read of classes."""
    reads: set[tuple[int, str]] = set()

    def read(instance: object, name: str) -> Any:
        reads.add((id(instance), name))
        return object.__getattribute__(instance, name)

    for parameter_class in classes:
        parameter_class.__getattribute__ = read  # type: ignore[assignment]
    try:
        yield reads
    finally:
        for parameter_class in classes:
            del parameter_class.__getattribute__  # type: ignore[misc]


def measure_effects(parameter: Parameter, cases: list[Case], motions: int) -> list[Effect]:
    """Return how a parameter changes the first motions, and further ones until one changes."""
    effects: list[Effect] = []
    for k, case in enumerate(cases):
        if k >= motions and any(effect.moved_cm >= LEAST_CHANGE for effect in effects):
            break
        effects += [measure_effect(parameter, factor, case) for factor in FACTORS]
    return effects


def measure_effect(parameter: Parameter, factor: float, case: Case) -> Effect:
    """Return how a motion changes with a parameter multiplied by a factor."""
    shipped = getattr(parameter.owner, parameter.field)
    changed = type(shipped)(shipped * factor)
    object.__setattr__(parameter.owner, parameter.field, changed)
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(LONGEST)
    try:
        motion = generate(case.task, _ignore_progress)
    except TimeoutError:
        return Effect(case.name, factor, np.inf, (f"takes longer than {LONGEST} s",))
    except (FootfallError, ValueError, ArithmeticError, IndexError, np.linalg.LinAlgError) as error:
        return Effect(case.name, factor, np.inf, (f"fails ({type(error).__name__})",))
    finally:
        signal.alarm(0)
        object.__setattr__(parameter.owner, parameter.field, shipped)
    moved = np.linalg.norm(motion.link_position - case.motion.link_position, axis=-1).max()
    return Effect(
        case.name,
        factor,
        float(100 * moved),
        list_worse_measures(case.measures, measure(motion, case.task.ground.sample_heights)),
    )


def list_worse_measures(shipped: Measures, changed: Measures) -> tuple[str, ...]:
    """Return the measures that are worse by their bounds, with both values."""
    worse = []
    for name, bound in BOUNDS.items():
        before = bound.scale * getattr(shipped, name)
        after = bound.scale * getattr(changed, name)
        if after > before + bound.increase:
            worse.append(bound.label.format(f"{before:.2g} → {after:.2g}"))
    return tuple(worse)


def write_table(lines: list[tuple[Parameter, list[Effect]]], file: TextIO) -> None:
    """Write a row of comma-separated values for each parameter."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("file", "parameter", "value", "halved", "doubled"))
    for parameter, effects in lines:
        path = parameter.module.removeprefix("footfall.").replace(".", "/") + ".py"
        cells = [format_effects([e for e in effects if e.factor == f]) for f in FACTORS]
        name = f"{parameter.instance}.{parameter.field}"
        writer.writerow((path, name, f"{parameter.value:g}", *cells))


def format_effects(effects: list[Effect]) -> str:
    """Return a cell of the table: the two worst motions, or how far the motions move."""
    if not effects:
        return "not read"
    worse = [effect for effect in effects if effect.worse]
    if worse:
        worst = sorted(worse, key=lambda effect: -len(effect.worse))[:2]
        return "; ".join(f"{effect.case}: {', '.join(effect.worse[:2])}" for effect in worst)
    largest = max(effects, key=lambda effect: effect.moved_cm)
    if largest.moved_cm < LEAST_CHANGE:
        return "no change"
    return f"moves {largest.case} by {largest.moved_cm:.2g} cm"


def _stop(signal_number: int, frame: FrameType | None) -> None:
    """Stop a generation that takes too long."""
    raise TimeoutError


def _ignore_progress(stage: str, share: float) -> None:
    """Ignore the progress of an engine."""


if __name__ == "__main__":
    main()
