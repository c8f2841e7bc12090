/** `npm start -w sandbox/app`: runs the server, configured by environment variables; the README lists them. */
import { runStandIn, Variables } from '@keybay/sandbox-service'
import { startApp } from './start-app.js'

const REASON = 'It is a demo of a host app, whose server signs tokens for any user. Deploy your own app.'

await runStandIn('app', REASON, () => {
  const { env } = process
  const variables = new Variables(env, 'app')
  const chainPort = variables.port('CHAIN_PORT', 8899)
  const url = (name: string, host: string, port: number) => variables.url(name, `http://${host}:${port}`)
  const urlUnlessOff = (name: string, host: string, port: number) =>
    env[name] === 'off' ? undefined : url(name, host, port)
  return startApp({
    port: variables.port('APP_PORT', 4000),
    dataDir: variables.dataFolder(),
    chainUrl: url('CHAIN_URL', 'localhost', chainPort),
    chainWsUrl: variables.url('CHAIN_WS_URL', `ws://localhost:${chainPort + 1}`, ['ws:', 'wss:']),
    apiUrl: variables.url('API_URL', `http://api.app.localhost:${variables.port('API_PORT', 4100)}/api/v0`),
    inboxUrl: urlUnlessOff('INBOX_URL', 'localhost', variables.port('INBOX_PORT', 4600)),
    environmentId: env.ENVIRONMENT_ID || undefined,
    frameUrl: url('FRAME_URL', 'wallet.localhost', variables.port('FRAME_PORT', 4200)),
    custodyUrl: url('CUSTODY_URL', 'localhost', variables.port('CUSTODY_PORT', 4400)),
    phoneUrl: url('PHONE_URL', 'phone.localhost', variables.port('PHONE_PORT', 4700)),
    identityUrl: urlUnlessOff('IDENTITY_URL', 'identity.localhost', variables.port('IDENTITY_PORT', 4500)),
    relayUrl: variables.url('RELAY_URL', `http://localhost:${variables.port('RELAY_PORT', 4300)}/api/v0`),
  })
})
