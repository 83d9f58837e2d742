"""Readers of files from anywhere: sizes, names and numbers are checked before they are used."""

from __future__ import annotations

import io
import os
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from footfall.core.errors import TaskError
from footfall.core.files.arrays import ArrayArchive, read_array
from footfall.core.files.source import FileKind, read_file, read_toml
from footfall.core.files.values import NumberRange, is_plain_name, read_number, show_value

KIND = FileKind("test", 1_000_000, TaskError)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_only_regular_files_are_opened(tmp_path: Path, make: object) -> None:
    path = tmp_path / "x"
    make(path)  # type: ignore[operator]
    with pytest.raises(TaskError, match="cannot be opened"):
        read_file(path, KIND)


def test_large_files_and_strange_names_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(1_000_001))
    with pytest.raises(TaskError, match="has 1 MB; at most 1 MB are read"):
        read_file(path, KIND)
    with pytest.raises(TaskError, match="cannot be opened"):
        read_file(tmp_path / "a\0b", KIND)
    with pytest.raises(TaskError, match=r"\\n") as error:
        read_file(tmp_path / "a\nb", KIND)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1" + "0" * 5000, "digits"),
        ("x = " + "[" * 100_000, "nested too deeply"),
        ("a." * 100_000 + "a = 1", "too many parts"),
        ("'a'. " * 100_000 + "a = 1", "too many parts"),
        ("[x", "not a test file"),
    ],
)
def test_toml_that_stops_parsers_is_refused_in_time(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    start = time.process_time()
    with pytest.raises(TaskError, match=message):
        read_toml(path, KIND)
    assert time.process_time() - start < 2


def test_long_words_and_lists_are_no_long_keys(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    numbers = [0.5] * 20_000
    path.write_text(f"word = '{'a' * 300_000}'\nnumbers = {numbers}\na.b.c = 1.5")
    start = time.process_time()
    data = read_toml(path, KIND)
    assert time.process_time() - start < 2
    assert data["numbers"] == numbers
    assert data["a"] == {"b": {"c": 1.5}}


@pytest.mark.parametrize("name", ["walk", "my walk.2", "jöö", "a-b_c"])
def test_names_of_files_beside_another(name: str) -> None:
    assert is_plain_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", ".x", "a/b", "a\\b", "C:x", "a\0b", "a" * 101, 3])
def test_paths_are_no_plain_names(name: object) -> None:
    assert not is_plain_name(name)


@pytest.mark.parametrize(
    "value", [10**400, -(10**400), float("nan"), float("inf"), True, "1", None]
)
def test_what_is_no_number_is_refused_in_a_line(value: object) -> None:
    with pytest.raises(
        TaskError, match="The width must be a number above 0 and at most 5"
    ) as error:
        read_number(value, "The width", TaskError, NumberRange(0, 5, excludes_minimum=True))
    assert len(str(error.value)) < 200


def test_values_are_shown_in_a_line() -> None:
    assert show_value("a\nb") == r"'a\nb'"
    for value in ("x" * 9000, [10**5000], {"a": [1.0] * 9000}, 10**5000):
        assert len(show_value(value)) < 70


def _save(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        _save(np.zeros(3))[:-1],
        _save(np.zeros(3)) + b"x",
        _save(np.zeros(3)).replace(b"(3,)", b"(9,)"),
        _save(np.zeros(3)).replace(b"(3,)", b"(3.)"),
        _save(np.array([{}], object)),
        _save(np.zeros(2, "f8,f8")),
        b"\x93NUMPY\x01\x00\x10\x27" + b"(" * 10_000,
        b"",
    ],
)
def test_damaged_arrays_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        read_array(io.BytesIO(data), len(data))
    assert "pickle" not in str(error.value)


def test_an_array_that_claims_terabytes_is_not_allocated() -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (20000000000000,)}"
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(80)
    with pytest.raises(ValueError, match="shape does not match the number of its bytes"):
        read_array(io.BytesIO(data), len(data))


def test_plain_arrays_come_back() -> None:
    for array in (
        np.arange(6.0).reshape(2, 3),
        np.array(["a", "b"]),
        np.array(True),
        np.zeros((0, 3)),
    ):
        for order in ("C", "F"):
            data = _save(np.asarray(array, order=order))  # type: ignore[call-overload]
            np.testing.assert_array_equal(read_array(io.BytesIO(data), len(data)), array)


def test_an_archive_gives_headers_before_arrays(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, a=np.zeros((2, 3)), b=np.array(["x"]))
    with ArrayArchive(path, KIND) as archive:
        assert {k: (h.shape, h.kind) for k, h in archive.headers.items()} == {
            "a": ((2, 3), "f"),
            "b": ((1,), "U"),
        }
        np.testing.assert_array_equal(archive.read("a"), np.zeros((2, 3)))


def test_archives_that_are_large_inside_or_strange_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez_compressed(path, a=np.zeros(10**6))  # 8 MB from 8 kB
    assert path.stat().st_size < 100_000
    with pytest.raises(TaskError, match="its arrays have 8 MB; at most 1 MB"):
        ArrayArchive(path, KIND)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.npy", _save(np.zeros(3)))
    with pytest.raises(TaskError, match="compressed by a method that is not read"):
        ArrayArchive(path, KIND)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(TaskError, match="files that are no arrays"):
        ArrayArchive(path, KIND)
