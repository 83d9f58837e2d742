"""Reading of files from anywhere: bounded in size, and with errors of one line."""
