"""Arrays in a text file: short ones as numbers, long ones packed into one word."""

from __future__ import annotations

import base64
import binascii
import io
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TaskError
from ..files.arrays import read_array as read_npy
from ..files.values import show_error

# Prefix of a packed array, which names its encoding.
PACKED_PREFIX = "npy-zlib-base64:"
# Maximum number of elements of an array that is written as numbers.
MAX_READABLE_SIZE = 64
# Maximum size of a packed array after decompression [bytes].
MAX_UNPACKED_BYTES = 1 << 30


def write_array(array: NDArray[Any]) -> list[Any] | str:
    """Return an array as nested lists of numbers, or packed if it is long."""
    array = np.asarray(array)
    if array.size <= MAX_READABLE_SIZE:
        nested: list[Any] = array.tolist()
        return nested
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return PACKED_PREFIX + base64.b64encode(zlib.compress(stream.getvalue(), 1)).decode("ascii")


def read_array(value: object, label: str, kind: type = float) -> NDArray[Any]:
    """Return the array that `write_array` has written.

    Args:
        label: name of the array, for messages.
        kind: type of its elements.

    Raises:
        TaskError: the value is neither numbers in rows of equal length nor a packed array.
    """
    try:
        if isinstance(value, str):
            if not value.startswith(PACKED_PREFIX):
                raise ValueError(f"a packed array begins with {PACKED_PREFIX!r}")
            decompressor = zlib.decompressobj()
            raw = decompressor.decompress(
                base64.b64decode(value[len(PACKED_PREFIX) :], validate=True), MAX_UNPACKED_BYTES
            )
            return read_npy(io.BytesIO(raw), len(raw)).astype(kind)
        return np.asarray(value, kind)
    except (ValueError, TypeError, OverflowError, EOFError, binascii.Error, zlib.error) as error:
        raise TaskError(
            f"The {label} cannot be read as an array of numbers: {show_error(error)}."
        ) from error
