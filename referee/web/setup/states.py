"""How far a step of the setup is."""

DONE, WRONG, OPEN = "done", "wrong", "todo"
