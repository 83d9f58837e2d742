"""Ground that yields under a body: a spongy band, and a bridge of links between two banks.

Their heights are those at rest. How they yield is simulated by the engine that honors them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from ..errors import TerrainError
from .ground import Array, TriangleMesh
from .mesh import MeshGround
from .stones import join_grounds

Place = tuple[float, float]

# Length of the banks of a bridge [m], more than a clip walks, and their width as a multiple of the
# width of the bridge, so that pictures show where it hangs.
BANK_LENGTH = 40.0
BANK_WIDTH = 3.0
# Longest yielding ground [m]: columns 3 cm apart take 0.3 MB for each state that is kept.
MAX_LENGTH = 1000.0
# Numbers of links, and sag as a share of the span, for which bridges are simulated: flatter chains
# swing too fast for the time steps, and deeper ones end in slopes of 39 degrees and more.
LINK_COUNTS = (2, 100)
SAG_SHARES = (0.01, 0.2)
# Range of the horizontal force of a chain [weights of a link] within which its sag is searched.
TENSION_RANGE = (1e-2, 1e6)


@dataclass(frozen=True)
class GroundBand:
    """A straight band on level ground.

    Args:
        start, end: ends of its middle line [m], shape (2,).
        width: [m], that of a footbridge.

    Raises:
        TerrainError: a number is not finite, the band has no length or no width, or it is too long.
    """

    start: Place = (0.0, 0.0)
    end: Place = (20.0, 0.0)
    width: float = 1.2

    def __post_init__(self) -> None:
        if not (np.isfinite([*self.start, *self.end]).all() and self.length > 0):
            raise TerrainError(
                f"The band of yielding ground from {self.start} to {self.end} has no length; give "
                "it two different places."
            )
        if self.length > MAX_LENGTH:
            raise TerrainError(
                f"The band of yielding ground is {self.length:.3g} m long; it can be at most "
                f"{MAX_LENGTH:g} m long."
            )
        self._check_positive("width", self.width)

    def _check_positive(self, name: str, value: float) -> None:
        if not (np.isfinite(value) and value > 0):
            raise TerrainError(
                f"The {name} of the yielding ground is {value}; it must be a positive number."
            )

    @property
    def length(self) -> float:
        """Distance of both ends [m]."""
        return float(np.hypot(*np.subtract(self.end, self.start)))

    @property
    def forward(self) -> Array:
        """Direction from start to end, shape (2,)."""
        return np.subtract(self.end, self.start) / self.length


@dataclass(frozen=True)
class SpongyTerrain(GroundBand):
    """Level ground at height 0, without limits, with a band that is spongy.

    Args:
        stiffness: force per depth of a heel or of the ball of a foot [N/m]; with 20 kN/m half of
            the weight of a human presses it in by 2 cm.
        damping: force per speed of it [N s/m]; with 2 kN s/m it returns within 0.1 s.

    Raises:
        TerrainError: a number is not positive.
    """

    stiffness: float = 20_000.0
    damping: float = 2_000.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_positive("stiffness", self.stiffness)
        self._check_positive("damping", self.damping)

    def in_units(self, length: float, time: float) -> SpongyTerrain:
        """Return the terrain in units of a length [m] and a time [s]."""
        return replace(
            self,
            start=_scale_place(self.start, length),
            end=_scale_place(self.end, length),
            width=self.width / length,
            stiffness=self.stiffness * time**2,
            damping=self.damping * time,
        )

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return zeros. (..., 2) -> (...,)."""
        return np.zeros(np.shape(xy)[:-1])

    def to_mesh(self) -> None:
        """Return None, as the ground at rest is the plane z = 0."""
        return


@dataclass(frozen=True)
class BridgeTerrain(GroundBand):
    """Two level banks at height 0, with a bridge of rigid links that hangs between them.

    Args:
        links: number of links; 24 of them make planks of 0.8 m on the usual span.
        sag: depth of its middle at rest [m]; 0.3 m makes ends of 3.4 degrees on that span.
        mass: of a link [kg].
        damping: rate at which its motion decays [1/s].

    Raises:
        TerrainError: a number is out of range.
    """

    links: int = 24
    sag: float = 0.3
    mass: float = 30.0
    damping: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_positive("mass", self.mass)
        low, high = LINK_COUNTS
        if not low <= self.links <= high:
            raise TerrainError(
                f"The bridge has {self.links} links; it must have {low} to {high} of them."
            )
        least, most = (share * self.length for share in SAG_SHARES)
        if not least <= self.sag <= most:
            raise TerrainError(
                f"The bridge of {self.length:.3g} m sags by {self.sag:.3g} m; it must sag by "
                f"{least:.3g} to {most:.3g} m."
            )
        if not (np.isfinite(self.damping) and self.damping >= 0):
            raise TerrainError(
                f"The damping of the bridge is {self.damping}; it must not be negative."
            )

    def in_units(self, length: float, time: float) -> BridgeTerrain:
        """Return the terrain in units of a length [m] and a time [s]."""
        return replace(
            self,
            start=_scale_place(self.start, length),
            end=_scale_place(self.end, length),
            width=self.width / length,
            sag=self.sag / length,
            damping=self.damping * time,
        )

    @cached_property
    def _ground(self) -> MeshGround:
        nodes = hang_links(self.links, self.length, self.sag)
        bank = np.array([[-BANK_LENGTH, 0.0], [0.0, 0.0]])
        ribbons = (
            (bank, BANK_WIDTH * self.width),
            (nodes, self.width),
            (bank + [self.length + BANK_LENGTH, 0.0], BANK_WIDTH * self.width),
        )
        return join_grounds([self._make_ribbon(line, width) for line, width in ribbons])

    def _make_ribbon(self, line: Array, width: float) -> MeshGround:
        """Return a ribbon along a line (k, 2), forward and up from the start [m]."""
        across = 0.5 * width * np.array([-self.forward[1], self.forward[0]])
        middle = self.start + line[:, :1] * self.forward
        sides = np.stack([middle - across, middle + across], 1)  # (k, 2, 2)
        height = np.broadcast_to(line[:, None, 1:], (len(line), 2, 1))
        a = 2 * np.arange(len(line) - 1)
        faces = np.concatenate([np.stack([a, a + 2, a + 3], 1), np.stack([a, a + 3, a + 1], 1)])
        return MeshGround(np.concatenate([sides, height], -1).reshape(-1, 3), faces)

    def sample_heights(self, xy: ArrayLike) -> Array:
        """Return the height of banks and bridge at rest, nan beside them. (..., 2) -> (...,)."""
        return self._ground.sample_heights(xy)

    def to_mesh(self) -> TriangleMesh | None:
        """Return banks and bridge at rest as a mesh."""
        return self._ground.to_mesh()


YieldingTerrain = SpongyTerrain | BridgeTerrain


def _scale_place(place: Place, length: float) -> Place:
    return (float(place[0]) / length, float(place[1]) / length)


def hang_links(count: int, span: float, sag: float) -> Array:
    """Return the places of ends and hinges of n equal rigid links at rest, shape (n + 1, 2).

    The places are forward and up from the first end [m]; both ends have the same height.

    Args:
        count: number n of links, at least 2.
        span: distance of the ends [m].
        sag: depth of the deepest hinge under the ends [m], less than `span`.
    """

    def measure_excess(logarithm: float) -> float:
        return float(-_hang(count, span, np.exp(logarithm))[:, 1].min() - sag)

    low, high = np.log(TENSION_RANGE)
    return _hang(count, span, float(np.exp(brentq(measure_excess, low, high))))


def _hang(count: int, span: float, tension: float) -> Array:
    """Return the places of ends and hinges at a horizontal force [weights of a link]."""
    # The force along a link is that at its middle, as half of its weight hangs on either end.
    slope = (np.arange(count) - 0.5 * (count - 1)) / tension
    line = np.stack([np.ones(count), slope], 1) / np.hypot(1.0, slope)[:, None]
    links = line * (span / line[:, 0].sum())
    return np.concatenate([np.zeros((1, 2)), np.cumsum(links, 0)])
