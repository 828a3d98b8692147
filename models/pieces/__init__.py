"""Training of the network that finds standing pieces on the fields of a map."""
