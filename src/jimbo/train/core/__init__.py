"""The harness of all trainings: settings, one loop, its files, curves and watchers."""
