"""What happens to a motion after planning: it is judged, remedied, or refused."""
