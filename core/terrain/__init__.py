"""The ground: height and normal at many points at once."""
from .beyond import Beyond
from .built import Slab, cut_out, slabs, stairs
from .ground import Flat, Ground, Slope
from .height_field import HeightField
from .hole import with_hole
from .mesh import MeshGround
from .outline import Box, convex_outline, narrowest_box
from .rolling import rolling_hills
from .stone_top import StoneTop, stone_top
from .stones import islands, joined, stones

__all__ = ["Beyond", "Box", "Flat", "Ground", "HeightField", "MeshGround", "Slab", "Slope", "StoneTop", "convex_outline",
           "cut_out", "islands", "joined", "narrowest_box", "rolling_hills", "slabs", "stairs", "stone_top", "stones", "with_hole"]
