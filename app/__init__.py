"""The web app, the command line and everything that touches the world: files, databases, sockets, clocks."""
