"""Files of trained networks: `.npz` without pickled objects."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...files.arrays import ArrayArchive
from ...files.source import FileKind, show_path
from ...files.values import is_number, show_error, show_value
from .identity import NetworkIdentity
from .network import Network
from .training import Normalization, TrainedNetwork

Array = NDArray[np.float64]
Weights = NDArray[np.float32]

FORMAT = "footfall-network-2"
MAX_BYTES = 20_000_000
NORMALIZATIONS = ("input_mean", "input_scale", "output_mean", "output_scale")


class NetworkError(FootfallError):
    """A file that holds no network, or a network of another body."""


NETWORK_FILE = FileKind("network", MAX_BYTES, NetworkError)


@dataclass(frozen=True)
class NetworkAbout:
    """What a network was trained on, and how well it does.

    Args:
        body: name of the character.
        style: name of the style.
        identity: the body and the style, whatever their names.
        slowest, fastest: range of the trained speeds other than 0, at human scale [m/s].
        clips: number of random drives.
        samples: number of windows.
        epochs: number of times that all samples were used.
        seed: of all random choices.
        training_error: mean squared error of the last epoch, normalized.
        held_out_error: the same of the windows that were held out.
        footfall: version of Footfall that trained it.
    """

    body: str
    style: str
    identity: NetworkIdentity
    slowest: float
    fastest: float
    clips: int
    samples: int
    epochs: int
    seed: int
    training_error: float
    held_out_error: float
    footfall: str


@dataclass(frozen=True)
class LearnedNetwork:
    """A trained network, and what it was trained on."""

    trained: TrainedNetwork
    about: NetworkAbout


def save_network(learned: LearnedNetwork, path: Path) -> None:
    """Write a network to a file. A file in its place is replaced only once all is written.

    Raises:
        NetworkError: the file cannot be written.
    """
    trained = learned.trained
    arrays: dict[str, Any] = {
        "format": np.array(FORMAT),
        "about": np.array(json.dumps(asdict(learned.about))),
        "input_mean": trained.inputs.mean,
        "input_scale": trained.inputs.scale,
        "output_mean": trained.outputs.mean,
        "output_scale": trained.outputs.scale,
    }
    for layer, (matrix, bias) in enumerate(
        zip(trained.network.matrices, trained.network.biases, strict=True)
    ):
        # Half precision changes a prediction by less than a tenth of a millimeter.
        arrays[f"matrix_{layer}"] = matrix.astype(np.float16)
        arrays[f"bias_{layer}"] = bias
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("wb") as file:
                np.savez_compressed(file, **arrays)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise NetworkError(
            f"The network {path} cannot be written: {error.strerror or error}."
        ) from error


def load_network(path: Path) -> LearnedNetwork:
    """Read a network.

    Raises:
        NetworkError: the file cannot be opened, or holds no network.
    """
    with ArrayArchive(path, NETWORK_FILE) as archive:
        arrays = {name: archive.read(name) for name in archive.headers}
    try:
        return _read_arrays(arrays)
    except NetworkError as error:
        raise NetworkError(
            f"{show_path(path)} is not a network of this version: {error}"
        ) from error


def _read_arrays(arrays: dict[str, NDArray[Any]]) -> LearnedNetwork:
    """Return the network of the arrays of a file.

    Raises:
        NetworkError: an array is missing or has the wrong shape.
    """
    version = str(arrays["format"]) if "format" in arrays else "none"
    if version != FORMAT:
        raise NetworkError(f"its format is {show_value(version)} instead of {FORMAT!r}.")
    count = sum(name.startswith("matrix_") for name in arrays)
    network = Network(
        tuple(_read_floats(arrays, f"matrix_{layer}", 2) for layer in range(count)),
        tuple(_read_floats(arrays, f"bias_{layer}", 1) for layer in range(count)),
    )
    if count == 0:
        raise NetworkError("it has no layers.")
    means = {name: _read_floats(arrays, name, 1) for name in NORMALIZATIONS}
    _check_shapes(network, means)
    return LearnedNetwork(
        TrainedNetwork(
            network,
            Normalization(means["input_mean"], means["input_scale"]),
            Normalization(means["output_mean"], means["output_scale"]),
        ),
        _read_about(arrays),
    )


def _read_floats(arrays: dict[str, NDArray[Any]], name: str, dimensions: int) -> Weights:
    values = arrays.get(name)
    if values is None:
        raise NetworkError(f"{name} is missing.")
    if values.dtype.kind != "f" or values.ndim != dimensions:
        raise NetworkError(
            f"{name} is no array of {dimensions} dimensions of floating-point numbers."
        )
    weights: Weights = values.astype(np.float32)
    if not np.isfinite(weights).all():
        raise NetworkError(f"{name} holds a number that is not finite.")
    return weights


def _check_shapes(network: Network, means: dict[str, Weights]) -> None:
    for layer, (matrix, bias) in enumerate(zip(network.matrices, network.biases, strict=True)):
        inputs = network.sizes[layer]
        if matrix.shape != (len(bias), inputs):
            raise NetworkError(
                f"matrix_{layer} has the shape {matrix.shape} instead of {(len(bias), inputs)}."
            )
    for name in NORMALIZATIONS:
        size = network.sizes[0 if name.startswith("input") else -1]
        if len(means[name]) != size:
            raise NetworkError(f"{name} has {len(means[name])} entries instead of {size}.")
        if name.endswith("scale") and not (means[name] > 0).all():
            raise NetworkError(f"{name} has an entry that is not above 0.")


def _read_about(arrays: dict[str, NDArray[Any]]) -> NetworkAbout:
    try:
        table = json.loads(str(arrays["about"]))
        values: dict[str, Any] = {
            field.name: _ABOUT_TYPES.get(field.name, str)(table[field.name])
            for field in fields(NetworkAbout)
        }
    except (ArithmeticError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise NetworkError(f"its description cannot be read ({show_error(error)}).") from error
    numbers = [value for value in values.values() if isinstance(value, int | float)]
    if not all(is_number(number) for number in (*numbers, *values["identity"].proportions)):
        raise NetworkError("its description cannot be read (a number is out of range).")
    return NetworkAbout(**values)


_ABOUT_TYPES: dict[str, Any] = {
    "identity": lambda table: NetworkIdentity(
        tuple(str(name) for name in table["joints"]),
        tuple(float(number) for number in table["proportions"]),
        str(table["style"]),
    ),
    **dict.fromkeys(("slowest", "fastest", "training_error", "held_out_error"), float),
    **dict.fromkeys(("clips", "samples", "epochs", "seed"), int),
}
