// A service that keeps the contract: port and data from the environment, ready by message, clean exit on SIGTERM.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { GOOD_PORT, KEYBAY_DATA_DIR, NEIGHBOUR_URL, GOOD_URL, GOOD_INTERNAL_URL } = process.env
const server = createServer((_request, response) =>
  response.end(JSON.stringify({ NEIGHBOUR_URL, GOOD_URL, GOOD_INTERNAL_URL })),
)
server.listen(Number(GOOD_PORT), '127.0.0.1', () => process.send?.({ type: 'ready', name: 'good' }))
process.on('SIGTERM', () => {
  mkdirSync(`${KEYBAY_DATA_DIR}/good`, { recursive: true })
  writeFileSync(`${KEYBAY_DATA_DIR}/good/stopped`, 'cleanly')
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
