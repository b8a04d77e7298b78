"""What runs use: replies of chat models, money spent on them, signs of life."""
