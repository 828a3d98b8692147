"""From the one declaration of the protocol: the Python codec, the C header, the page.

Standard library only: it runs wherever the firmware is built.
"""
