/** Runs the phone alone: `npm start -w sandbox/wallets`, or as a child of the sandbox's starter. */
import { runStandIn, Variables } from '@keybay/sandbox-service'
import { startPhone } from './start-phone.js'

const { env } = process
const variables = new Variables(env, 'phone')

const REASON = 'It stands in for wallets on a phone, and approves what it is asked. Users have wallets of their own.'

await runStandIn('phone', REASON, () =>
  startPhone({
    port: variables.portOrAny('PHONE_PORT', 4700),
    host: env.PHONE_HOST || '127.0.0.1',
    chainUrl: env.CHAIN_URL || `http://localhost:${variables.port('CHAIN_PORT', 8899)}`,
  }),
)
