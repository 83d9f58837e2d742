"""Compare networks of the learned planner: sizes, amounts of data, and prediction frame by frame.

    python scripts/compare_networks.py [--segments N] [--epochs N] [--data FILE] [--workers N]

Prints the tables of docs/dev/learned-planner.md. The samples are those of the humanoid in the style
natural; with --data they are kept in a file and read again. The sizes and the curve of error over
data are table 1 and figure 15 of Kwon et al. 2020. The prediction frame by frame is by a
phase-functioned network (Holden et al. 2017), as in table 3: its weights are a cubic spline of the
phase through four sets, it maps a state and one sample of the sketch to the next state, and its
predictions are fed back.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.batch.pool import ProcessPool
from footfall.core.engine.learned.network import Adam, apply_elu
from footfall.core.engine.learned.samples import (
    SampleJob,
    SampleSet,
    collect_samples,
    make_body_task,
)
from footfall.core.engine.learned.sketch_curves import SketchCurves
from footfall.core.engine.learned.states import CENTROIDAL_COUNT, StateVectors
from footfall.core.engine.learned.train_body import ROOT_COUNT, WALK_SPEEDS
from footfall.core.engine.learned.training import TRAINING, Normalization, train_network
from footfall.core.engine.learned.windows import WINDOWS
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = NDArray[np.float32]

LEGS = 2
STATE_SIZE = StateVectors(KinematicModel(load_character("humanoid"))).size
SKETCH_SIZE = SketchCurves.count_inputs(LEGS)
# Segments that no network is trained on
TEST_COUNT = 400
HIDDEN = ((50, 12, 200), (50, 24, 200), (128, 32, 200))
# Sine of the phase above which a foot lies flat
FLAT_SINE = 0.7
# Share of a cycle that a segment covers: half a cycle and 35 % of the next half
CYCLE_SHARE = 0.5 * (1 + WINDOWS.overlap_share)
CONTROL_COUNT = 4  # Sets of weights of the phase-functioned network
FRAME_HIDDEN = (128, 128)
FRAME_BATCH = 32 * 29


@dataclass(frozen=True)
class Errors:
    """Errors of predicted segments.

    Args:
        com: of the center of mass, root mean square [m].
        joints: of the joints, root mean square [rad].
        slide: mean speed of feet that lie on the ground [m/s].
    """

    com: float
    joints: float
    slide: float

    @staticmethod
    def measure(samples: SampleSet, states: Array) -> Errors:
        """Return the errors of states (n, WINDOWS.state_count, size) that are predicted."""
        difference = states - samples.outputs.reshape(states.shape)
        joints = difference[..., CENTROIDAL_COUNT + 3 * LEGS + ROOT_COUNT :]
        return Errors(
            float(np.sqrt((difference[..., :3] ** 2).sum(-1).mean())),
            float(np.sqrt((joints**2).mean())),
            _measure_slide(samples, states),
        )

    def format(self) -> str:
        """Return the cells of a table."""
        return (
            f"{100 * self.com:.2f} cm | {np.degrees(self.joints):.2f}° | "
            f"{100 * self.slide:.1f} cm/s"
        )


def _measure_slide(samples: SampleSet, states: Array) -> float:
    """Return the mean speed of feet relative to their footholds while these are on the ground."""
    n = len(states)
    step = samples.inputs[:, SKETCH_SIZE - 1] / (WINDOWS.state_count - 1)
    feet = states[..., CENTROIDAL_COUNT : CENTROIDAL_COUNT + 3 * LEGS].reshape(n, -1, LEGS, 3)
    speed = np.linalg.norm(np.diff(feet, axis=1), axis=-1) / step[:, None, None]
    # The sine of the phase is 1 in the middle of a contact, where a foot lies flat.
    sine = _spread_sketch(samples.inputs)[:, 1:, [-7, -1]]
    return float(speed[sine > FLAT_SINE].mean())


def _spread_sketch(inputs: Array) -> Array:
    """Return the samples of the sketch at the times of the states, (n, state_count, k)."""
    sketch = inputs[:, : SKETCH_SIZE - 1].reshape(len(inputs), WINDOWS.sketch_count, -1)
    place = np.linspace(0, WINDOWS.sketch_count - 1, WINDOWS.state_count)
    low = np.minimum(place.astype(int), WINDOWS.sketch_count - 2)
    share = (place - low)[:, None]
    return np.asarray((1 - share) * sketch[:, low] + share * sketch[:, low + 1])


class FrameNetwork:
    """A phase-functioned network: each layer is linear in the products of inputs and weights of
    the four sets of parameters.
    """

    def __init__(self, sizes: tuple[int, ...], rng: np.random.Generator) -> None:
        self.matrices: tuple[Weights, ...] = tuple(
            (rng.uniform(-1, 1, (k, CONTROL_COUNT * (n + 1))) / np.sqrt(n)).astype(np.float32)
            for n, k in pairwise(sizes)
        )

    def predict(self, inputs: Weights, phase: Array) -> Weights:
        """Return the outputs of n rows at n phases, 0 to 1."""
        return self.run(inputs, _blend_controls(phase))[-1]

    def run(self, inputs: Weights, shares: Weights) -> list[Weights]:
        """Return the values of all layers, the inputs first."""
        values = [inputs]
        for layer, matrix in enumerate(self.matrices):
            out = _spread(values[-1], shares) @ matrix.T
            values.append(apply_elu(out) if layer < len(self.matrices) - 1 else out)
        return values

    def compute_gradient(
        self, inputs: Weights, targets: Weights, shares: Weights
    ) -> tuple[Weights, ...]:
        """Return the derivative of the mean squared error by all matrices."""
        values = self.run(inputs, shares)
        slope = (2 / targets.size) * (values[-1] - targets)
        slopes: list[Weights] = []
        for layer in range(len(self.matrices) - 1, -1, -1):
            slopes.append(slope.T @ _spread(values[layer], shares))
            if layer:
                back = (slope @ self.matrices[layer]).reshape(len(slope), CONTROL_COUNT, -1)
                slope = (shares[..., None] * back).sum(1)[:, :-1] * np.minimum(values[layer] + 1, 1)
        return tuple(slopes[::-1])


def _spread(values: Weights, shares: Weights) -> Weights:
    """Return the products of values, and of 1, with the shares of the sets of parameters."""
    with_one = np.concatenate([values, np.ones((len(values), 1), np.float32)], 1)
    return (shares[..., None] * with_one[:, None]).reshape(len(values), -1)


def _blend_controls(phase: Array) -> Weights:
    """Return the shares of the four sets of parameters in a cyclic cubic spline, (n, 4)."""
    place = CONTROL_COUNT * phase
    u = place % 1
    cubic = np.stack(
        [
            -0.5 * u + u**2 - 0.5 * u**3,
            1 - 2.5 * u**2 + 1.5 * u**3,
            0.5 * u + 2 * u**2 - 1.5 * u**3,
            -0.5 * u**2 + 0.5 * u**3,
        ],
        -1,
    )
    first = place.astype(int)
    shares = np.zeros((len(phase), CONTROL_COUNT), np.float32)
    for k in range(CONTROL_COUNT):
        shares[np.arange(len(phase)), (first + k - 1) % CONTROL_COUNT] = cubic[:, k]
    return shares


@dataclass(frozen=True)
class FramePredictor:
    """A trained network that predicts frame by frame."""

    network: FrameNetwork
    inputs: Normalization
    outputs: Normalization

    def predict(self, samples: SampleSet) -> Array:
        """Return the states of segments whose first one is given, (n, state_count, size)."""
        sketch = _spread_sketch(samples.inputs)
        states = samples.outputs.reshape(len(samples), WINDOWS.state_count, -1).copy()
        step = samples.inputs[:, SKETCH_SIZE - 1 : SKETCH_SIZE]
        for k in range(WINDOWS.state_count - 1):
            rows = np.concatenate([sketch[:, k], step, states[:, k]], 1)
            phase = np.full(len(rows), CYCLE_SHARE * k / (WINDOWS.state_count - 1))
            change = self.network.predict(self.inputs.apply(rows), phase)
            states[:, k + 1] = states[:, k] + self.outputs.restore(change)
        return states


def train_frames(samples: SampleSet, epochs: int, rng: np.random.Generator) -> FramePredictor:
    """Return a network that predicts frame by frame."""
    count = WINDOWS.state_count
    sketch = _spread_sketch(samples.inputs)[:, :-1]
    states = samples.outputs.reshape(len(samples), count, -1)
    step = np.repeat(samples.inputs[:, None, SKETCH_SIZE - 1 : SKETCH_SIZE], count - 1, axis=1)
    rows = np.concatenate([sketch, step, states[:, :-1]], -1)
    rows = rows.reshape(len(samples) * (count - 1), -1)
    changes = np.diff(states, axis=1).reshape(len(rows), -1)
    phases = np.tile(CYCLE_SHARE * np.arange(count - 1) / (count - 1), len(samples))
    inputs, outputs = Normalization.from_rows(rows, 1e-2), Normalization.from_rows(changes, 1e-4)
    x, y, shares = inputs.apply(rows), outputs.apply(changes), _blend_controls(phases)
    network = FrameNetwork((x.shape[1], *FRAME_HIDDEN, y.shape[1]), rng)
    optimizer = Adam(network.matrices)
    for epoch in range(epochs):
        rate = TRAINING.first_rate * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(len(x))
        for batch in np.array_split(order, max(len(x) // FRAME_BATCH, 1)):
            # Noise keeps fed back errors from growing.
            noisy = x[batch] + 0.02 * rng.standard_normal(x[batch].shape, dtype=np.float32)
            optimizer.step(network.compute_gradient(noisy, y[batch], shares[batch]), rate)
    return FramePredictor(network, inputs, outputs)


def _select(samples: SampleSet, rows: slice) -> SampleSet:
    return SampleSet(samples.inputs[rows], samples.outputs[rows])


def _load_samples(options: argparse.Namespace) -> SampleSet:
    if options.data is not None and options.data.exists():
        with np.load(options.data) as file:
            return SampleSet(file["inputs"], file["outputs"])
    job = SampleJob(make_body_task("humanoid", "natural"), WALK_SPEEDS, 1)
    with ProcessPool(options.workers) as pool:
        samples = collect_samples(job, options.segments + TEST_COUNT, pool, batch=8).samples
    if options.data is not None:
        np.savez(options.data, inputs=samples.inputs, outputs=samples.outputs)
    return samples


def main() -> None:
    """Train and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=5600, metavar="N")
    parser.add_argument("--epochs", type=int, default=200, metavar="N")
    parser.add_argument("--data", type=Path, metavar="FILE")
    parser.add_argument("--workers", type=int, metavar="N")
    options = parser.parse_args()
    samples = _load_samples(options)
    trained = _select(samples, slice(0, options.segments))
    unseen = _select(samples, slice(-TEST_COUNT, None))
    has_state = unseen.inputs[:, SKETCH_SIZE] == 1
    unseen = SampleSet(unseen.inputs[has_state], unseen.outputs[has_state])
    print("| network | segments | error | held out | center of mass | joints | slide | ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    truth = unseen.outputs.reshape(len(unseen), WINDOWS.state_count, -1)
    print(f"| planned engine | | | | {Errors.measure(unseen, truth).format()} | |", flush=True)
    full = len(trained)
    cases = [(hidden, full) for hidden in HIDDEN]
    cases += [((50, 24, 200), full // share) for share in (2, 4, 8)]
    for hidden, count in cases:
        _compare_segments(_select(trained, slice(0, count)), unseen, hidden, options.epochs)
    _compare_frames(trained, unseen, options.epochs)


def _compare_segments(
    trained: SampleSet, unseen: SampleSet, hidden: tuple[int, ...], epochs: int
) -> None:
    parameters = replace(TRAINING, hidden=hidden, epochs=epochs)
    rng = np.random.default_rng(0)
    result = train_network(trained.inputs, trained.outputs, rng, parameters)
    predict = result.trained.predict
    states = predict(unseen.inputs).reshape(len(unseen), WINDOWS.state_count, -1)
    begin = time.process_time()
    for row in unseen.inputs:
        predict(row)
    milliseconds = 1e3 * (time.process_time() - begin) / _sum_periods(unseen)
    print(
        f"| segment, {', '.join(map(str, hidden))} | {len(trained)} | "
        f"{result.training_errors[-1]:.3f} | {result.held_out_errors[-1]:.3f} | "
        f"{Errors.measure(unseen, states).format()} | {milliseconds:.2f} |",
        flush=True,
    )


def _compare_frames(trained: SampleSet, unseen: SampleSet, epochs: int) -> None:
    has_state = trained.inputs[:, SKETCH_SIZE] == 1
    trained = SampleSet(trained.inputs[has_state], trained.outputs[has_state])
    predictor = train_frames(trained, epochs // 2, np.random.default_rng(0))
    states = predictor.predict(unseen)
    begin = time.process_time()
    for k in range(50):
        predictor.predict(_select(unseen, slice(k, k + 1)))
    seconds = _sum_periods(_select(unseen, slice(0, 50)))
    milliseconds = 1e3 * (time.process_time() - begin) / seconds
    print(
        f"| frame, 4 sets of {', '.join(map(str, FRAME_HIDDEN))} | {len(trained)} | | | "
        f"{Errors.measure(unseen, states).format()} | {milliseconds:.2f} |"
    )


def _sum_periods(samples: SampleSet) -> float:
    """Return the time that segments add to a motion, without their overlaps [s]."""
    return float(samples.inputs[:, SKETCH_SIZE - 1].sum() / (1 + WINDOWS.overlap_share))


if __name__ == "__main__":
    main()
