"""A motion onto a rig's keys."""
