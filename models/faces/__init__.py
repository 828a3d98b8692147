"""The networks that describe faces and verify pairs of them; see README.md."""
