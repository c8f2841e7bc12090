/** Runs the phone alone: `npm start -w sandbox/wallets`, or as a child of the sandbox's starter. */
import { integer, runStandIn } from '@keybay/sandbox-service'
import { startPhone } from './start-phone.js'

const { env } = process

const REASON = 'It stands in for wallets on a phone, and approves what it is asked. Users have wallets of their own.'

await runStandIn('phone', REASON, () =>
  startPhone({
    port: integer(env, 'phone', 'PHONE_PORT', 4700, [0, 65_535]),
    host: env.PHONE_HOST || '127.0.0.1',
    chainUrl: env.CHAIN_URL || `http://localhost:${integer(env, 'phone', 'CHAIN_PORT', 8899, [1, 65_535])}`,
  }),
)
