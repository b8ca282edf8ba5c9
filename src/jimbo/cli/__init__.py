"""The command line: one module per verb, each parsing its arguments, calling one function and printing."""
