"""The exact solver: proofs, hints and winnable deals."""
