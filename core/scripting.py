"""Functions of the public interface that combine several packages."""

from __future__ import annotations

from .motion import Motion
from .motion.measures import Measures
from .motion.measures import measure as measure_on_ground
from .terrain import FlatGround, Ground
from .terrain.mesh import MeshGround


def measure(motion: Motion, ground: Ground | None = None) -> Measures:
    """Return measures of a motion: drift, penetration, momentum residual, pops and others.

    Args:
        ground: the terrain; by default that of the motion, or level ground at z = 0 [m].
    """
    if ground is None and motion.terrain_vertices is not None:
        assert motion.terrain_triangles is not None
        ground = MeshGround(motion.terrain_vertices, motion.terrain_triangles)
    return measure_on_ground(motion, (ground or FlatGround()).sample_heights)
