// Runs, but never becomes ready.
setInterval(() => undefined, 1000)
