"""Train a network on samples.

Source: Kwon et al. 2020, section 7.2 and section 8, "Learning framework".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import TaskError
from .network import Adam, Network, drop_inputs

Array = NDArray[np.float64]
Weights = NDArray[np.float32]
ShareCallback = Callable[[float], None]

# Fewest samples that can be trained on and checked with
MIN_SAMPLES = 20


@dataclass(frozen=True)
class TrainingParameters:
    """Constants of the training.

    Args:
        hidden: units of the hidden layers. The paper has 50, 12 and 200 (section 7.2); tuned: the
            error on held-out windows is 0.086 with these and 0.128 with those,
            scripts/compare_networks.py
        epochs: number of times that all samples are used; section 8
        batch_size: samples of one step of the optimizer; section 8
        keep_share: probability with which an input is kept in a step; section 7.2
        held_out_share: share of the samples that only check the network; 6 %, appendix F.2
        first_rate: step size of the optimizer at first; it falls along half a cosine.
        last_rate: step size at the end, a hundredth of the first one.
    """

    hidden: tuple[int, ...] = (128, 32, 200)
    epochs: int = 400
    batch_size: int = 32
    keep_share: float = 0.99
    held_out_share: float = 0.06
    first_rate: float = 1e-3
    last_rate: float = 1e-5


TRAINING = TrainingParameters()


@dataclass(frozen=True)
class Normalization:
    """Mean and scale of vectors, by which each of their entries has mean 0 and deviation 1.

    Args:
        mean: shape (k,).
        scale: shape (k,), above 0.
    """

    mean: Weights
    scale: Weights

    @staticmethod
    def from_rows(rows: Array, min_scale: float) -> Normalization:
        """Return the normalization of n vectors, shape (n, k).

        Args:
            min_scale: least scale; entries that vary less are as good as constant.
        """
        return Normalization(
            rows.mean(0).astype(np.float32),
            np.maximum(rows.std(0), min_scale).astype(np.float32),
        )

    def apply(self, rows: Array) -> Weights:
        """Return normalized vectors. (..., k) -> (..., k)."""
        return ((rows - self.mean) / self.scale).astype(np.float32)

    def restore(self, rows: Weights) -> Array:
        """Return vectors from normalized ones. (..., k) -> (..., k)."""
        return (rows * self.scale + self.mean).astype(np.float64)


# Least deviation of an input and of an output, in their units (m, rad, 1). Numerical: entries that
# hardly vary in the samples are not blown up by noise
MIN_INPUT_SCALE = 1e-2
MIN_OUTPUT_SCALE = 2e-3


@dataclass(frozen=True)
class TrainedNetwork:
    """A network with the normalization of its inputs and outputs.

    Args:
        network: the network of normalized vectors.
        inputs: normalization of the inputs.
        outputs: normalization of the outputs.
    """

    network: Network
    inputs: Normalization
    outputs: Normalization

    def predict(self, inputs: Array) -> Array:
        """Return the outputs. (..., inputs) -> (..., outputs)."""
        return self.outputs.restore(self.network.predict(self.inputs.apply(inputs)))


@dataclass(frozen=True)
class TrainingResult:
    """A trained network and the course of its training.

    Args:
        trained: the network after the last epoch.
        training_errors: mean squared error of the samples of each epoch, normalized, (epochs,).
        held_out_errors: the same of the samples that were held out, (epochs,).
        held_out: indices of the samples that were held out.
    """

    trained: TrainedNetwork
    training_errors: Array
    held_out_errors: Array
    held_out: NDArray[np.int64] = field(repr=False)


def train_network(
    inputs: Array,
    outputs: Array,
    rng: np.random.Generator,
    parameters: TrainingParameters = TRAINING,
    progress: ShareCallback = lambda share: None,
) -> TrainingResult:
    """Return a network that maps inputs to outputs.

    Args:
        inputs: n samples, shape (n, inputs).
        outputs: shape (n, outputs).
        rng: source of all random numbers.
        progress: called after each epoch with the share done; may raise an exception to stop.

    Raises:
        TaskError: there are too few samples.
    """
    if len(inputs) < MIN_SAMPLES:
        raise TaskError(
            f"There are {len(inputs)} samples; a network is trained on {MIN_SAMPLES} or more."
        )
    order = rng.permutation(len(inputs))
    held_out, kept = np.split(order, [max(int(parameters.held_out_share * len(order)), 1)])
    input_scaling = Normalization.from_rows(inputs[kept], MIN_INPUT_SCALE)
    output_scaling = Normalization.from_rows(outputs[kept], MIN_OUTPUT_SCALE)
    x = input_scaling.apply(inputs)
    y = output_scaling.apply(outputs)
    network = Network.initialize((x.shape[1], *parameters.hidden, y.shape[1]), rng)
    optimizer = Adam(network.parameters)
    errors = np.empty((2, parameters.epochs))
    for epoch in range(parameters.epochs):
        errors[0, epoch] = _run_epoch(
            _EpochData(x[kept], y[kept], rng), optimizer, parameters, epoch
        )
        errors[1, epoch] = network.compute_loss(x[held_out], y[held_out])
        progress((epoch + 1) / parameters.epochs)
    trained = TrainedNetwork(network, input_scaling, output_scaling)
    return TrainingResult(trained, errors[0], errors[1], held_out)


@dataclass(frozen=True)
class _EpochData:
    """Normalized samples, and the source of their order."""

    inputs: Weights
    outputs: Weights
    rng: np.random.Generator


def _run_epoch(
    data: _EpochData, optimizer: Adam, parameters: TrainingParameters, epoch: int
) -> float:
    """Take one step of the optimizer for each batch and return the mean error."""
    network = Network.from_parameters(optimizer.parameters)
    order = data.rng.permutation(len(data.inputs))
    count = max(len(order) // parameters.batch_size, 1)
    errors = []
    for k, batch in enumerate(np.array_split(order, count)):
        inputs = drop_inputs(data.inputs[batch], parameters.keep_share, data.rng)
        gradient = network.compute_gradient(inputs, data.outputs[batch])
        optimizer.step(gradient.slopes, _compute_rate(parameters, epoch + k / count))
        errors.append(gradient.loss)
    return float(np.mean(errors))


def _compute_rate(parameters: TrainingParameters, epoch: float) -> float:
    """Return the step size of the optimizer at a time, in epochs."""
    share = 0.5 * (1 + np.cos(np.pi * epoch / parameters.epochs))
    return float(parameters.last_rate + share * (parameters.first_rate - parameters.last_rate))
