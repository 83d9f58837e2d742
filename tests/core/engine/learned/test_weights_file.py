"""Files of networks: written and read again, and refused where they are broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from footfall.core.engine.learned.identity import NetworkIdentity
from footfall.core.engine.learned.network import Network
from footfall.core.engine.learned.training import Normalization, TrainedNetwork
from footfall.core.engine.learned.weights_file import (
    LearnedNetwork,
    NetworkAbout,
    NetworkError,
    load_network,
    save_network,
)

ABOUT = NetworkAbout(
    body="humanoid",
    style="natural",
    identity=NetworkIdentity(("root", "hip.L"), (0.0, 0.1, -0.2), "0123abcd"),
    slowest=0.3,
    fastest=4.0,
    clips=3,
    samples=90,
    epochs=5,
    seed=1,
    training_error=0.5,
    held_out_error=0.6,
    footfall="0.1.0",
)


@pytest.fixture
def learned() -> LearnedNetwork:
    network = Network.initialize((4, 3, 2, 5, 6), np.random.default_rng(0))
    scales = (
        Normalization(np.full(size, 0.5, np.float32), np.full(size, 2.0, np.float32))
        for size in (4, 6)
    )
    return LearnedNetwork(TrainedNetwork(network, *scales), ABOUT)


def test_a_network_is_read_as_it_was_written(learned: LearnedNetwork, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "network.npz"
    save_network(learned, path)
    loaded = load_network(path)
    x = np.random.default_rng(1).standard_normal((3, 4))
    assert loaded.trained.predict(x) == pytest.approx(learned.trained.predict(x), abs=2e-3)
    assert loaded.about == ABOUT
    assert [p.name for p in path.parent.iterdir()] == ["network.npz"]


def _change(path: Path, **changes: Any) -> None:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    arrays.update(changes)
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": None}, "its format is 'none'"),
        ({"format": np.array("footfall-network-9")}, "'footfall-network-9' instead of"),
        ({"matrix_1": None}, "matrix_"),
        ({"matrix_2": np.zeros((5, 9), np.float32)}, r"has the shape \(5, 9\) instead of \(5, 2\)"),
        ({"bias_0": np.array([1.0, np.nan, 0.0])}, "bias_0 holds a number that is not finite"),
        ({"bias_0": np.array(["a", "b", "c"])}, "no array of 1 dimensions"),
        ({"input_scale": np.zeros(4)}, "not above 0"),
        ({"output_mean": np.zeros(5)}, "has 5 entries instead of 6"),
        ({"about": np.array("{}")}, "description cannot be read"),
        ({"about": np.array('{"body": "b", "style": "s", "identity": 3}')}, "cannot be read"),
        ({"about": np.array("no JSON")}, "description cannot be read"),
        ({"about": np.array([ABOUT], object)}, "is not a network"),
    ],
)
def test_a_broken_file_is_refused(
    learned: LearnedNetwork, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = tmp_path / "network.npz"
    save_network(learned, path)
    _change(path, **changes)
    with pytest.raises(NetworkError, match=message):
        load_network(path)


@pytest.mark.parametrize("content", [b"", b"no file of arrays", b"PK\x03\x04 and no more"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "network.npz"
    path.write_bytes(content)
    with pytest.raises(NetworkError, match=r"network\.npz is not a network"):
        load_network(path)
    with pytest.raises(NetworkError, match="cannot be opened"):
        load_network(tmp_path / "missing.npz")


def test_half_a_file_is_refused(learned: LearnedNetwork, tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    save_network(learned, path)
    path.write_bytes(path.read_bytes()[:700])
    with pytest.raises(NetworkError, match="is not a network"):
        load_network(path)
