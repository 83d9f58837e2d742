"""The network: its gradient, its optimizer and its training."""

from __future__ import annotations

import numpy as np
import pytest
from footfall.core.engine.learned.network import ADAM, Adam, Network, apply_elu, drop_inputs
from footfall.core.engine.learned.training import (
    MIN_OUTPUT_SCALE,
    Normalization,
    TrainingParameters,
    train_network,
)
from footfall.core.errors import Cancelled, TaskError

SIZES = (7, 9, 4, 11, 6)


def _as_double(network: Network) -> Network:
    """A network of the same weights in double precision, for differences."""
    return Network.from_parameters(tuple(p.astype(np.float64) for p in network.parameters))  # type: ignore[misc]


def _make_network() -> Network:
    return _as_double(Network.initialize(SIZES, np.random.default_rng(1)))


def test_forward_pass_is_equation_24() -> None:
    network = _make_network()
    x = np.random.default_rng(2).standard_normal(7)
    values = x
    for layer in range(4):
        values = network.matrices[layer] @ values + network.biases[layer]
        if layer < 3:
            values = np.where(values > 0, values, np.exp(values) - 1)
    assert network.predict(x) == pytest.approx(values, abs=1e-12)
    assert network.sizes == SIZES


def test_elu_has_no_overflow() -> None:
    values = apply_elu(np.array([-1e4, -1.0, 0.0, 2.0, 1e4], np.float32))
    assert values == pytest.approx([-1.0, np.expm1(-1.0), 0.0, 2.0, 1e4])


def test_gradient_is_that_of_finite_differences() -> None:
    network = _make_network()
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((5, 7)), rng.standard_normal((5, 6))
    gradient = network.compute_gradient(x, y)
    assert gradient.loss == pytest.approx(network.compute_loss(x, y))
    h = 1e-6
    for parameter, slope in zip(network.parameters, gradient.slopes, strict=True):
        assert parameter.shape == slope.shape
        for place in rng.integers(0, parameter.size, 8):
            value = parameter.flat[place]
            losses = []
            for change in (h, -h):
                parameter.flat[place] = value + change
                losses.append(network.compute_loss(x, y))
            parameter.flat[place] = value
            assert slope.flat[place] == pytest.approx(
                (losses[0] - losses[1]) / (2 * h), rel=1e-5, abs=1e-9
            )


def test_adam_takes_the_steps_of_its_paper() -> None:
    rng = np.random.default_rng(4)
    parameter = rng.standard_normal((3, 2))
    expected = parameter.copy()
    optimizer = Adam((parameter,))
    m, v = np.zeros((3, 2)), np.zeros((3, 2))
    for t in range(1, 6):
        slope = rng.standard_normal((3, 2))
        rate = 0.1 / t
        optimizer.step((slope,), rate)
        m = 0.9 * m + 0.1 * slope
        v = 0.999 * v + 0.001 * slope**2
        mean, square = m / (1 - 0.9**t), v / (1 - 0.999**t)
        expected -= rate * mean / (np.sqrt(square) + 1e-8)
        assert parameter == pytest.approx(expected, abs=1e-12)
    assert (ADAM.first_decay, ADAM.second_decay) == (0.9, 0.999)


def test_dropped_inputs_keep_their_mean() -> None:
    x = np.ones((400, 100), np.float32)
    dropped = drop_inputs(x, 0.9, np.random.default_rng(5))
    assert (dropped == 0).mean() == pytest.approx(0.1, abs=0.01)
    assert dropped.mean() == pytest.approx(1.0, abs=0.01)


def test_normalization_is_undone() -> None:
    rows = np.random.default_rng(6).standard_normal((50, 3)) * [1.0, 5.0, 0.0] + [0.0, 3.0, 2.0]
    scaling = Normalization.from_rows(rows, MIN_OUTPUT_SCALE)
    normalized = scaling.apply(rows)
    assert normalized.std(0)[:2] == pytest.approx([1.0, 1.0], abs=1e-4)
    assert scaling.scale[2] == pytest.approx(MIN_OUTPUT_SCALE)
    assert scaling.restore(normalized) == pytest.approx(rows, abs=1e-5)


def _make_samples(count: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.random.default_rng(7).uniform(-1, 1, (count, 3))
    y = np.column_stack([np.sin(2 * x[:, 0]) + x[:, 1], x[:, 1] * x[:, 2], 5 + x[:, 2]])
    return x, y


SMALL = TrainingParameters(hidden=(20, 12, 20), epochs=60)


def test_training_learns_a_function_and_depends_on_the_seed_alone() -> None:
    x, y = _make_samples(600)
    first, again, other = (
        train_network(x, y, np.random.default_rng(seed), SMALL) for seed in (1, 1, 2)
    )
    assert first.held_out_errors[-1] < 0.03
    assert first.held_out_errors[-1] < 0.2 * first.held_out_errors[0]
    assert len(first.held_out) == 36
    assert np.array_equal(first.trained.predict(x), again.trained.predict(x))
    assert not np.array_equal(first.trained.predict(x), other.trained.predict(x))
    error = first.trained.predict(x[first.held_out]) - y[first.held_out]
    assert np.sqrt((error**2).mean()) < 0.15


def test_training_can_be_stopped_and_reports_its_progress() -> None:
    x, y = _make_samples(100)
    shares = []

    def stop(share: float) -> None:
        shares.append(share)
        if share > 0.1:
            raise Cancelled("stop")

    with pytest.raises(Cancelled):
        train_network(x, y, np.random.default_rng(1), SMALL, stop)
    assert shares == pytest.approx(np.arange(1, 8) / 60)


def test_too_few_samples_are_refused() -> None:
    x, y = _make_samples(5)
    with pytest.raises(TaskError, match="There are 5 samples"):
        train_network(x, y, np.random.default_rng(1), SMALL)
