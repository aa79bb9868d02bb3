"""The faces of the program, and the workflows they drive."""
