/** Logs refused origins as a real service does: repeated, and one that a shell would run. */
const origins = [
  'http://localhost:5173',
  'http://localhost:5173',
  'https://a$(id).example',
  'https://phone.example:8443',
  'http://localhost:5173',
]
for (const refusedOrigin of origins)
  console.info(JSON.stringify({ level: 'info', message: 'request', status: 403, refusedOrigin }))
process.once('SIGTERM', () => process.exit(0))
setInterval(() => undefined, 1_000)
process.send?.({ type: 'ready', name: 'refusing', url: '' })
