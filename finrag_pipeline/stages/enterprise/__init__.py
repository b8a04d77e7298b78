"""Records of companies out of a user's files: what they may say, and the documents made of them."""
