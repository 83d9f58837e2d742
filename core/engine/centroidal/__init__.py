"""The planned engine: sketch, centroidal plan, full body (Kwon et al. 2020)."""
