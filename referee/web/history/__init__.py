"""What is told of matches on record: rounds, moves and verdicts, statistics, who won how often."""
