"""The value of a build, learnt generation by generation from the games that it plays itself."""
