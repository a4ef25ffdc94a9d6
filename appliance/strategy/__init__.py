"""How to play well: solvers that ask the rules and know none of their own."""
