"""What is added to a chunk so that it stands alone; where it begins and ends is decided before."""
