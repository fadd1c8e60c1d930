"""One function for each address: parse the request, call a service, render. No logic lives here."""
