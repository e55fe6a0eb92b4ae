"""Crates: the inputs and outputs of a run, as RO-Crate and Croissant, for readers without Orchard."""
