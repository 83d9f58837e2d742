"""The ground: height and normal at many points at once."""
from .built import Slab, cut_out, slabs, stairs
from .ground import Flat, Ground, Slope
from .height_field import HeightField
from .mesh import MeshGround
from .rolling import rolling_hills
from .stones import islands, joined, stones

__all__ = ["Flat", "Ground", "HeightField", "MeshGround", "Slab", "Slope", "cut_out", "islands",
           "joined", "rolling_hills", "slabs", "stairs", "stones"]
