"""Live news of running turns: HTML fragments over websockets for pages, server-sent events for programs."""
