// Ignores every polite request to stop.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => console.info(`ignored ${signal}`))
setInterval(() => undefined, 1000)
process.send?.({ type: 'ready' })
