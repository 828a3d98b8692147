"""Tells a broker what the public screens show, for lights, signs and Home Assistant; never more."""
