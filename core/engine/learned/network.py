"""A network of three hidden layers, its gradient and its optimizer.

Source: Kwon et al. 2020, equation 24; Clevert et al. 2016 (ELU); Kingma and Ba 2015 (Adam).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Network:
    """A chain of linear layers with an exponential linear unit after each but the last.

    Args:
        matrices: weights of the layers, each of shape (outputs, inputs).
        biases: biases of the layers, each of shape (outputs,).
    """

    matrices: tuple[Weights, ...]
    biases: tuple[Weights, ...]

    @staticmethod
    def initialize(sizes: tuple[int, ...], rng: np.random.Generator) -> Network:
        """Return a network with random weights.

        Args:
            sizes: number of inputs, of the units of each hidden layer, and of outputs.
        """
        matrices = []
        biases = []
        for inputs, outputs in pairwise(sizes):
            bound = 1 / np.sqrt(inputs)
            matrices.append(rng.uniform(-bound, bound, (outputs, inputs)).astype(np.float32))
            biases.append(rng.uniform(-bound, bound, outputs).astype(np.float32))
        return Network(tuple(matrices), tuple(biases))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of inputs, of the units of each hidden layer, and of outputs."""
        return (self.matrices[0].shape[1], *(len(bias) for bias in self.biases))

    @property
    def parameters(self) -> tuple[Weights, ...]:
        """All matrices, then all biases."""
        return (*self.matrices, *self.biases)

    @staticmethod
    def from_parameters(parameters: tuple[Weights, ...]) -> Network:
        """Return the network whose `parameters` are given."""
        count = len(parameters) // 2
        return Network(parameters[:count], parameters[count:])

    def predict(self, inputs: Weights) -> Weights:
        """Return the outputs. (..., inputs) -> (..., outputs)."""
        values = inputs
        for layer, (matrix, bias) in enumerate(zip(self.matrices, self.biases, strict=True)):
            values = values @ matrix.T + bias
            if layer < len(self.matrices) - 1:
                values = apply_elu(values)
        return values

    def compute_loss(self, inputs: Weights, targets: Weights) -> float:
        """Return the mean squared error of n rows."""
        return float(np.mean((self.predict(inputs) - targets) ** 2, dtype=np.float64))

    def compute_gradient(self, inputs: Weights, targets: Weights) -> LossGradient:
        """Return the mean squared error of a batch and its derivative by all parameters.

        Args:
            inputs: shape (n, inputs).
            targets: shape (n, outputs).
        """
        activations = [inputs]
        for layer, (matrix, bias) in enumerate(zip(self.matrices, self.biases, strict=True)):
            values = activations[-1] @ matrix.T + bias
            activations.append(apply_elu(values) if layer < len(self.matrices) - 1 else values)
        error = activations[-1] - targets
        slope: Weights = np.multiply(error, 2 / error.size)
        matrix_slopes: list[Weights] = []
        bias_slopes: list[Weights] = []
        for layer in range(len(self.matrices) - 1, -1, -1):
            matrix_slopes.append(slope.T @ activations[layer])
            bias_slopes.append(np.sum(slope, 0))
            if layer > 0:
                # The derivative of exp(x) - 1 is its value plus 1.
                unit = activations[layer]
                slope = (slope @ self.matrices[layer]) * np.minimum(unit + 1, 1)
        slopes = (*matrix_slopes[::-1], *bias_slopes[::-1])
        return LossGradient(float(np.mean(error**2, dtype=np.float64)), slopes)


@dataclass(frozen=True)
class LossGradient:
    """Loss of a batch, and its derivative by each of a network's `parameters`."""

    loss: float
    slopes: tuple[Weights, ...]


def apply_elu(values: Weights) -> Weights:
    """Return x where x is above 0, and exp(x) - 1 where it is not."""
    return np.maximum(values, 0) + np.expm1(np.minimum(values, 0))


@dataclass(frozen=True)
class AdamParameters:
    """Constants of the optimizer. Source: Kingma and Ba 2015, algorithm 1."""

    first_decay: float = 0.9  # Share of the mean slope that a step keeps.
    second_decay: float = 0.999  # Share of the mean squared slope that a step keeps.
    epsilon: float = 1e-8  # Added to the root of the mean squared slope.


ADAM = AdamParameters()


@dataclass
class Adam:
    """Optimizer of parameters, which it changes in place.

    Args:
        parameters: arrays to optimize.
        step_count: number of steps that were taken.
    """

    parameters: tuple[Weights, ...]
    step_count: int = 0
    _first: list[Weights] = field(init=False, repr=False)
    _second: list[Weights] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._first = [np.zeros_like(p) for p in self.parameters]
        self._second = [np.zeros_like(p) for p in self.parameters]

    def step(self, slopes: tuple[Weights, ...], rate: float) -> None:
        """Change the parameters along the slopes of a loss.

        Args:
            slopes: derivative of the loss by each parameter.
            rate: size of the step.
        """
        self.step_count += 1
        first_scale = 1 - ADAM.first_decay**self.step_count
        second_scale = float(np.sqrt(1 - ADAM.second_decay**self.step_count))
        step_size = rate * second_scale / first_scale
        epsilon = ADAM.epsilon * second_scale
        for parameter, slope, first, second in zip(
            self.parameters, slopes, self._first, self._second, strict=True
        ):
            first *= ADAM.first_decay
            first += (1 - ADAM.first_decay) * slope
            second *= ADAM.second_decay
            change = slope * slope
            change *= 1 - ADAM.second_decay
            second += change
            np.sqrt(second, out=change)
            change += epsilon
            np.divide(first, change, out=change)
            change *= step_size
            parameter -= change


def drop_inputs(inputs: Weights, keep_share: float, rng: np.random.Generator) -> Weights:
    """Return inputs of which some are 0, and the others larger, so that their mean is the same.

    Args:
        inputs: shape (n, inputs).
        keep_share: probability with which an input is kept.
    """
    is_kept = rng.random(inputs.shape, dtype=np.float32) < keep_share
    return inputs * is_kept * np.float32(1 / keep_share)
