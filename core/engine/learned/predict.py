"""Predict the motion of a sketch: window after window, stitched and blended.

Source: Kwon et al. 2020, section 7.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry.curves import fade_offset, smootherstep
from ..centroidal.body import PlannedBody
from .mirror import Mirror, find_mirrored
from .sketch_curves import SketchCurves, SketchInputs
from .states import BodyStates, StateVectors
from .training import TrainedNetwork
from .windows import WINDOWS, Windows, choose_windows, evaluate_window

Array = NDArray[np.float64]

# Time over which rates of change are measured [s]
RATE_STEP = 0.005
# Time over which the difference between a given state and a prediction fades [s]
FADE_TIME = 0.3


@dataclass(frozen=True)
class Prediction:
    """Predicted motion of a sketch, valid from the first window to the last.

    Args:
        vectors: conversion of the vectors of states.
        curves: curves of the sketch.
        windows: windows.
        inputs: inputs of the windows that the sketch determines.
        samples: predicted vectors in each window, shape (w, WINDOWS.state_count, size).
    """

    vectors: StateVectors
    curves: SketchCurves
    windows: Windows
    inputs: SketchInputs
    samples: Array

    def sample_states(self, times: Array) -> BodyStates:
        """Return the states at n increasing times [s]."""
        frames = self.curves.sample_frames(times)
        entries = np.arange(self.vectors.size)
        return self.vectors.decode(self._blend(times, entries, frames.origin[:, :2]), frames)

    def sample_com(self, times: Array) -> Array:
        """Return the center of mass at n increasing times [m], shape (n, 3)."""
        frames = self.curves.sample_frames(times)
        local = self._blend(times, np.arange(3), frames.origin[:, :2])
        return np.asarray((frames.make_rotation() @ local[..., None])[..., 0] + frames.origin)

    def _blend(self, times: Array, entries: NDArray[np.int64], places: Array) -> Array:
        """Return entries of the vectors, each window blended into the next one.

        Args:
            times: increasing times [s], shape (n,).
            entries: indices of the entries, shape (k,).
            places: origins of the frames, shape (n, 2).

        Returns:
            Shape (n, k), with heights over 0 instead of over the planes of the windows.
        """
        out = np.zeros((len(times), len(entries)))
        heights = np.flatnonzero(np.isin(entries, self.vectors.heights))
        begin = self.windows.begin
        duration = self.windows.duration
        ends = np.append(begin[1:], np.inf)
        first = 0
        for k in range(len(begin)):
            last = int(np.searchsorted(times, begin[k] + duration[k]))
            if k == len(begin) - 1:
                last = len(times)
            if last <= first:
                continue
            span = slice(first, last)
            share = (times[span] - begin[k]) / duration[k]
            values = evaluate_window(self.samples[k][:, entries], share)
            level = self.inputs.planes.height_at(k, places[span])
            values[:, heights] += level[:, None]
            if k:
                overlap = begin[k - 1] + duration[k - 1] - begin[k]
                weight = smootherstep(np.clip((times[span] - begin[k]) / overlap, 0, 1))[:, None]
                # The frames of the overlap hold the previous window.
                values = np.where(weight < 1, (1 - weight) * out[span] + weight * values, values)
            out[span] = values
            first = int(np.searchsorted(times, ends[k]))
        return out


@dataclass(frozen=True)
class PredictionStart:
    """State in which a prediction begins, as a vector in the frames of its sketch.

    Args:
        time: begin [s].
        vector: state, with heights over 0, shape (size,).
        rate: its derivative by time, shape (size,).
    """

    time: float
    vector: Array
    rate: Array

    @staticmethod
    def from_prediction(previous: Prediction, curves: SketchCurves, time: float) -> PredictionStart:
        """Return the state of a previous prediction in the frames of another sketch."""
        times = np.array([time, time + RATE_STEP])
        vectors = previous.vectors.encode(
            previous.sample_states(times), curves.sample_frames(times)
        )
        return PredictionStart(time, vectors[0], (vectors[1] - vectors[0]) / RATE_STEP)

    def fade_into(
        self, samples: Array, level: Array, heights: NDArray[np.int64], duration: float
    ) -> Array:
        """Return samples of the first window that begin in the state and at its rate.

        Args:
            samples: predicted samples, shape (WINDOWS.state_count, size).
            level: height of the plane of the window at the begin and a step later, shape (2,).
            heights: indices of the entries that are heights.
            duration: of the window [s].
        """
        shares = np.array([0.0, RATE_STEP / duration])
        predicted = evaluate_window(samples, shares)
        predicted[:, heights] += level[:, None]
        offset = self.vector - predicted[0]
        rate = self.rate - (predicted[1] - predicted[0]) / RATE_STEP
        span = min(FADE_TIME, duration)
        u = np.clip(np.linspace(0, duration, WINDOWS.state_count) / span, 0, 1)[:, None]
        return samples + fade_offset(u, offset, rate * span)


@dataclass(frozen=True)
class MotionPredictor:
    """Prediction of motions of one body by a network.

    Args:
        network: network of the body and its style.
        body: the body.
        vectors: conversion of the vectors of states.
        mirror: mirror of the body; None where it is not symmetric.
    """

    network: TrainedNetwork
    body: PlannedBody
    vectors: StateVectors
    mirror: Mirror | None

    @staticmethod
    def from_body(network: TrainedNetwork, body: PlannedBody) -> MotionPredictor:
        """Return the predictor of a body."""
        vectors = StateVectors(body.model)
        return MotionPredictor(network, body, vectors, Mirror.from_body(vectors, body.style))

    def predict(
        self, curves: SketchCurves, end: float, start: PredictionStart | None = None
    ) -> Prediction:
        """Return the predicted motion up to `end` [s] or later.

        Each window begins in the state that the previous one predicts; the first one in a given
        state or, at time 0, in a state that the network chooses.
        """
        vectors = self.vectors
        footsteps = tuple(s.footstep for s in curves.sketch.steps)
        begin = start.time if start else 0.0
        windows = choose_windows(footsteps, end, vectors.leg_count, begin=begin)
        inputs = curves.make_inputs(windows)
        is_mirrored = find_mirrored(windows, footsteps, self.body.character)
        places = curves.sample_frames(windows.begin).origin[:, :2]
        samples = np.empty((len(windows), WINDOWS.state_count, vectors.size))
        state = np.zeros(1 + vectors.size)
        if start is not None:
            state[0] = 1.0
            state[1:] = start.vector
            state[1 + vectors.heights] -= inputs.planes.height_at(0, places[0])
        for k in range(len(windows)):
            row = np.concatenate([inputs.vectors[k], state])
            samples[k] = self._evaluate(row, bool(is_mirrored[k])).reshape(samples[k].shape)
            if k == 0 and start is not None:
                times = windows.begin[0] + np.array([0.0, RATE_STEP])
                level = inputs.planes.height_at(0, curves.sample_frames(times).origin[:, :2])
                samples[0] = start.fade_into(
                    samples[0], level, vectors.heights, duration=windows.duration[0]
                )
            if k + 1 == len(windows):
                break
            share = (windows.begin[k + 1] - windows.begin[k]) / windows.duration[k]
            state[0] = 1.0
            state[1:] = evaluate_window(samples[k], np.array([share]))[0]
            place = places[k + 1]
            state[1 + vectors.heights] += inputs.planes.height_at(
                k, place
            ) - inputs.planes.height_at(k + 1, place)
        return Prediction(vectors, curves, windows, inputs, samples)

    def _evaluate(self, row: Array, is_mirrored: bool) -> Array:
        """Return the outputs of a window, shape (WINDOWS.state_count * size,)."""
        if self.mirror is None or not is_mirrored:
            return self.network.predict(row)
        outputs = self.network.predict(self.mirror.apply_to_inputs(row))
        return self.mirror.state.apply(outputs.reshape(WINDOWS.state_count, -1)).ravel()
