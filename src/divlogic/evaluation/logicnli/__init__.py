"""LogicNLI's diagnosis: what learners and models answer to its sets, and what that says of them."""
