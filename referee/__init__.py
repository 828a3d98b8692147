"""Adjudicates what vision reads: rules, matches, the box and the screens."""
