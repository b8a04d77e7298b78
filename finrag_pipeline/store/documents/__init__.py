"""Documents from the file that holds them to what readers see of them."""
