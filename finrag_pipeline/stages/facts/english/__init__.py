"""Single figures of English filings: their fiscal years, labels that blocks explain, statements."""
