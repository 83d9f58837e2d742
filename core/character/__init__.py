"""Characters: their links, limbs and soles, from rigs, robots and files."""
