"""Crates: what a run used and made, as RO-Crate and Croissant, for readers who do not have Orchard."""
