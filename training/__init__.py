"""How the book's small models were trained. Needs torch; nothing else in the project imports it."""
