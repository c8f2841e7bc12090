/** Runs key custody as `npm start` does, in a measured process. Reports its URL, and its CPU time on request. */
import { startCustody } from '@keybay/sandbox-custody'

const [dataDir, origin, patience] = process.argv.slice(2)

let requests = 0
const custody = await startCustody({
  dataDir: dataDir ?? '',
  origins: [origin ?? ''],
  smtpUrl: 'smtp://127.0.0.1:1',
  log: line => {
    requests += 1
    process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`)
  },
  ...(patience && { patience: Number(patience) }),
})
process.on('message', () => process.send?.({ ...process.cpuUsage(), requests }))
process.once('SIGTERM', () => custody.stop().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(0))
const { internalUrl, organizationId, operatorKey } = custody
process.send?.({ url: internalUrl, operator: { organizationId, ...operatorKey } })
