"""Whole matches on a simulated table: players' hands act, and what the referee says is tallied."""
