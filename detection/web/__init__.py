"""The pages: addresses, views, forms, and who is asking."""
