"""The game in the terminal: played by a person, or by an agent that is watched."""
