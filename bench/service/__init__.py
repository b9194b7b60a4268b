"""What table, start, pages and the whole service cost in time and memory."""
