"""What works together, learnt from games: a graph that can be asked, and numbers that stand for items."""
