"""The ground: height and normal at many points at once."""

from .beyond import ExtendedGround
from .built import Slab, cut_gaps, make_slab_ground, make_stair_slabs
from .ground import FlatGround, Ground, Slope, TriangleMesh
from .height_field import HeightField, make_rolling_hills
from .hole import crop_ground, cut_hole
from .mesh import MeshGround
from .outline import PlanarBox, find_convex_outline, find_narrowest_box
from .scaled import ScaledGround
from .stone_top import StoneTop, find_stone_top
from .stones import find_island_centers, join_grounds, make_stepping_stones
from .yielding import BridgeTerrain, SpongyTerrain, YieldingTerrain, hang_links

__all__ = [
    "BridgeTerrain",
    "ExtendedGround",
    "FlatGround",
    "Ground",
    "HeightField",
    "MeshGround",
    "PlanarBox",
    "ScaledGround",
    "Slab",
    "Slope",
    "SpongyTerrain",
    "StoneTop",
    "TriangleMesh",
    "YieldingTerrain",
    "crop_ground",
    "cut_gaps",
    "cut_hole",
    "find_convex_outline",
    "find_island_centers",
    "find_narrowest_box",
    "find_stone_top",
    "hang_links",
    "join_grounds",
    "make_rolling_hills",
    "make_slab_ground",
    "make_stair_slabs",
    "make_stepping_stones",
]
