"""The pages: addresses, views, forms, owners, middleware."""
