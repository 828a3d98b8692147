"""Long measurements: `make bench`. Each module measures one thing and adds its figures."""
