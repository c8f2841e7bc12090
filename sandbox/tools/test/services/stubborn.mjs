// Ignores SIGTERM and SIGINT.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => console.info(`ignored ${signal}`))
setInterval(() => undefined, 1000)
process.send?.({ type: 'ready' })
