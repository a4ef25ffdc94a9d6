"""The printed parts as solids, made with build123d from `sizes`; `catalogue` lists them all."""
