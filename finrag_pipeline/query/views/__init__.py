"""What houses said of companies, document by document: rating, price, forecasts, who and when.

Which of them a question means and how they are told is the writers'.
"""
