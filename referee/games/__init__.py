"""The games, one folder each: pure rules on the standard library alone.

No module below imports anything of ours outside this package, reads a clock, does I/O beyond
its own edition files, or draws random numbers of its own.
"""
