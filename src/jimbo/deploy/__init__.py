"""What leaves the house: packages of agents, and the proofs that runs are the same everywhere."""
