"""How far a step of the setup is."""

DONE, WRONG, TODO = "done", "wrong", "todo"
