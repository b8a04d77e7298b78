"""What is known of the product's own quality: measures by week, marks of analysts."""
