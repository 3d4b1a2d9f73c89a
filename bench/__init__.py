"""Measurements: ``python -m bench`` runs them all (docs/performance.md)."""
