"""What builds and checks the book; none of it is needed to read ropelib."""
