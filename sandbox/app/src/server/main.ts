/** `npm start -w sandbox/app`: runs the server, configured by environment variables; the README lists them. */
import { address, dataFolder, exitAfterOutput, requireSandbox, StartUpError } from '@keybay/sandbox-service'
import { startApp } from './start-app.js'

/** @throws Error that says which value to use instead */
function readPort(name: string, fallback: number): number {
  const text = process.env[name]
  if (!text) return fallback
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port
  throw new Error(`${name} is “${text}”: set it to a port number from 1 to 65534, or unset it.`)
}

const REASON = 'It is a demo of a host app, whose server signs tokens for any user. Deploy your own app.'

function explain(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `app cannot start: port ${port} is taken by another program. Set APP_PORT to another port, for example: APP_PORT=${port + 1000}`
  if (code === 'EACCES')
    return `app cannot start: this user may not listen on port ${port}. Set APP_PORT to another port.`
  if (code === 'ENOENT') return 'app cannot start: it has not been built. Run `npm run build` first.'
  if (error instanceof StartUpError) return error.message
  return `app cannot start: ${error instanceof Error ? error.message : error}`
}

async function run(): Promise<void> {
  let port = 4000
  try {
    requireSandbox('app', REASON)
    port = readPort('APP_PORT', port)
    const chainPort = readPort('CHAIN_PORT', 8899)
    const { ENVIRONMENT_ID } = process.env
    const url = (name: string, fallback: string, schemes?: readonly string[]) =>
      address(process.env, 'app', name, fallback, schemes)
    const urlUnlessOff = (name: string, fallback: string) =>
      process.env[name] === 'off' ? undefined : url(name, fallback)
    const app = await startApp({
      port,
      dataDir: dataFolder(process.env, 'app'),
      chainUrl: url('CHAIN_URL', `http://localhost:${chainPort}`),
      chainWsUrl: url('CHAIN_WS_URL', `ws://localhost:${chainPort + 1}`, ['ws:', 'wss:']),
      apiUrl: url('API_URL', `http://api.app.localhost:${readPort('API_PORT', 4100)}/api/v0`),
      inboxUrl: urlUnlessOff('INBOX_URL', `http://localhost:${readPort('INBOX_PORT', 4600)}`),
      environmentId: ENVIRONMENT_ID || undefined,
      frameUrl: url('FRAME_URL', `http://wallet.localhost:${readPort('FRAME_PORT', 4200)}`),
      custodyUrl: url('CUSTODY_URL', `http://localhost:${readPort('CUSTODY_PORT', 4400)}`),
      phoneUrl: url('PHONE_URL', `http://phone.localhost:${readPort('PHONE_PORT', 4700)}`),
      identityUrl: urlUnlessOff('IDENTITY_URL', `http://identity.localhost:${readPort('IDENTITY_PORT', 4500)}`),
      relayUrl: url('RELAY_URL', `http://localhost:${readPort('RELAY_PORT', 4300)}/api/v0`),
    })
    const stop = () => void app.close().then(() => exitAfterOutput(0))
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    console.log(`app ready ${app.url}`)
    process.send?.({ type: 'ready', name: 'app', url: app.url })
  } catch (error) {
    console.error(explain(error, port))
    process.exitCode = 1
  }
}
await run()
