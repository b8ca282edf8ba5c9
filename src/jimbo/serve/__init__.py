"""What people use: the game in the terminal."""
