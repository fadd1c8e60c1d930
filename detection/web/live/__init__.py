"""Updates of open pages: the websocket, and the parts of the page that an event touches."""
