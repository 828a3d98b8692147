"""Pages that show what the referee sees and says; they only read published states."""
