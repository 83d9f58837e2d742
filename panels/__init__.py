"""Panels of the sidebar tab; they only draw."""
