/** Runs the two relays as processes, and the frame's host. */
import { createRequire } from 'node:module'
import { type FrameHost, startFrame } from '@keybay/sandbox-frame'
import { readSandboxEnvironments } from '@keybay/sandbox-frame/sandbox'
import { freePort } from '@keybay/sandbox-service/free-port'
import { type ServiceProcess, startServiceProcess } from './service-process.js'

export interface WalletServices {
  readonly frame: FrameHost
  /** URL of R1 for a browser. */
  readonly relayUrl: string
  readonly relays: { readonly R1: ServiceProcess; readonly R2: ServiceProcess }
  stop(): Promise<void>
}
export interface Around {
  /** Folder of the API's data, from which relays on the same machine get their access. */
  readonly dataDir: string
  readonly appPort: number
  readonly apiPort: number
  readonly chainPort: number
  readonly framePort: number
  /** Port of R1. */
  readonly relayPort: number
  /** URL of the drives; without it backups go to files and the product API. */
  readonly identityUrl: string | undefined
}

/** Returns the file of a program, next to the package's exports. */
function program(name: string): string {
  return createRequire(import.meta.url)
    .resolve('@keybay/sandbox-relay')
    .replace(/index\.js$/, name)
}

export async function startWalletServices({
  dataDir,
  appPort,
  apiPort,
  chainPort,
  framePort,
  relayPort: first,
  identityUrl = 'off',
}: Around): Promise<WalletServices> {
  const second = await freePort()
  const relayUrl = `http://localhost:${first}/api/v0`
  const env = {
    KEYBAY_DATA_DIR: dataDir,
    APP_PORT: String(appPort),
    API_PORT: String(apiPort),
    CHAIN_PORT: String(chainPort),
    FRAME_PORT: String(framePort),
    IDENTITY_URL: identityUrl,
    RELAY_PORT: String(first),
    RELAY2_PORT: String(second),
    RELAY_INTERNAL_URL: `http://127.0.0.1:${first}/api/v0`,
    RELAY2_INTERNAL_URL: `http://127.0.0.1:${second}/api/v0`,
    // Every test signs from the same machine.
    RELAY_LIMIT_FACTOR: '1000',
  }
  const [R1, R2] = await Promise.all([
    startServiceProcess(program('main.js'), first, env),
    startServiceProcess(program('main-2.js'), second, env),
  ])
  const frame = await startFrame({
    port: framePort,
    environments: readSandboxEnvironments(env),
    log: line => process.stderr.write(`${line}\n`),
  })
  return {
    frame,
    relayUrl,
    relays: { R1, R2 },
    async stop() {
      await Promise.all([frame.stop(), R1.kill(), R2.kill()])
    },
  }
}
