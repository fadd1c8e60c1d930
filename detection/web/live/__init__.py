"""What reaches an open page while it is open: its websocket, and the parts that an event touches."""
