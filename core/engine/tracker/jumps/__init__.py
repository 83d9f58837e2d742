"""Broad jumps on both feet, one after another, in the plane of the path (Abe 2011, figure 6)."""
