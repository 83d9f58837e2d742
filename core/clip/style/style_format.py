"""What all style files have in common, those for people and those for four legs."""

from __future__ import annotations

import numpy as np

from ...errors import TaskError
from ...files.source import FileKind
from .style import HARMONICS, Coefficients, evaluate_harmonics

STYLE_FILE = FileKind("style", 4_000_000, TaskError)
# Number of samples of a curve. Its Fourier series is recovered from more than twice its terms.
CURVE_SAMPLES = 2 * HARMONICS + 4
DECIMALS = 6  # Decimals of an angle in degrees, so that a style is read as it was written
MAX_SAMPLES = 10_000  # Largest number of samples of a curve in a file


def sample_curve(curve: Coefficients) -> list[float] | float:
    """Return equally spaced samples of a curve, or its only angle if it is constant [degrees].

    Negative zeros are written as 0.0.
    """
    values = np.degrees((evaluate_harmonics(np.arange(CURVE_SAMPLES) / CURVE_SAMPLES) @ curve).real)
    rounded = [round(float(v), DECIMALS) + 0.0 for v in values]
    return rounded[0] if np.ptp(rounded) == 0 else rounded
