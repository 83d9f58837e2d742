"""What is drawn over the 3D view: forces, contacts, timeline."""
