// Prints an error and exits when an HTTP request arrives.
import { createServer } from 'node:http'

createServer(() => {
  console.error('the disk is full')
  process.exit(3)
}).listen(Number(process.env.DYING_PORT), '127.0.0.1', () => process.send?.({ type: 'ready' }))
