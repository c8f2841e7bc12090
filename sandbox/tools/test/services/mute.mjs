// Runs, but is never ready.
setInterval(() => undefined, 1000)
