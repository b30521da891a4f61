"""What the command line shows: answers, stages of understanding, reports. No page and no server is needed for it."""
