"""What each audience is shown of a match, as JSON; made of what is known at one moment."""
