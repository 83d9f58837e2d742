"""What every engine needs."""
