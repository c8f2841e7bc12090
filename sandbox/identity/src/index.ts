/** Identity: the 22 social providers. Begin reading here: {@link startIdentity} puts the parts together. */
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import {
  type Clock,
  closeServer,
  type Log,
  listen,
  MovableClock,
  StartUpCheck,
  sweepAgainAndAgain,
} from '@keybay/sandbox-service'
import { createAdmin } from '@keybay/sandbox-service/admin'
import { Hono } from 'hono'
import { openDatabase } from './db/open.js'
import { Faults } from './faults.js'
import { createApp } from './http/app.js'
import { createFaults } from './http/faults.js'
import { loadKeys } from './keys.js'
import { createRecords } from './records.js'
import type { Services } from './services.js'

export type { LogLine } from '@keybay/sandbox-service'

const PUBLIC_NAME =
  'IDENTITY_URL is not a name of this machine, and this service lets anyone sign in as any of its users. Remove IDENTITY_URL, or set it to a name like identity.localhost.'

export interface IdentityOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Where a browser reaches it, by a name of this machine; default `http://identity.localhost:<port>`. */
  readonly publicUrl?: string
  /** Pages that it may send people back to; see the README. */
  readonly redirectUris?: readonly string[]
  /** Where iCloud sends people back to; default: the wallet frame's return page on its default port. */
  readonly cloudKitCallback?: string
  /** Of PGlite; without it, and without a database URL, nothing outlives the process. */
  readonly dataDir?: string
  /** `postgres://…` instead of PGlite. */
  readonly databaseUrl?: string
  readonly clock?: Clock
  /** `/admin`; on by default, only from this machine. */
  readonly admin?: boolean
  /** Structured lines; by default none. */
  readonly log?: Log
}

export interface Identity {
  /** e.g. `http://identity.localhost:4500` */
  readonly url: string
  /** The same for Node, which does not resolve `*.localhost`. */
  readonly internalUrl: string
  readonly port: number
  readonly clock: MovableClock
  /** Bad days, as `/admin/faults` sets them. */
  readonly faults: Faults
  /** Lets running requests end, then closes the database. */
  stop(): Promise<void>
}

/**
 * Starts the providers.
 *
 * @throws PortTakenError when the port is in use; StartUpError when `publicUrl` is not of this machine
 * @example
 * const identity = await startIdentity({ port: 4500, dataDir: '.keybay/identity' })
 * await identity.stop()
 */
export async function startIdentity(options: IdentityOptions = {}): Promise<Identity> {
  const { dataDir, host = '127.0.0.1', log = () => undefined } = options
  const check = new StartUpCheck({ service: 'identity', ...options })
  check.refuseStandIns([PUBLIC_NAME])
  const hasAdmin = check.hasAdmin(options.admin, 'IDENTITY_ADMIN')
  check.throwProblems()
  const clock = new MovableClock(options.clock)
  const faults = new Faults()
  const database = await openDatabase({ url: options.databaseUrl, dataDir: dataDir && join(dataDir, 'db') })
  try {
    const { db } = database
    const keys = await loadKeys(db)
    const records = createRecords(db, clock)
    // The port is part of what the app knows, so the server comes first.
    let app = new Hono()
    const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env), hostname: host })
    const port = await listen(server, { service: 'identity', variable: 'IDENTITY_PORT', port: options.port ?? 0, host })
    const publicUrl = (options.publicUrl ?? `http://identity.localhost:${port}`).replace(/\/$/, '')
    const services: Services = {
      db,
      clock,
      publicUrl,
      records,
      keys,
      faults,
      redirectUris: options.redirectUris,
      cloudKitCallback: options.cloudKitCallback ?? 'http://wallet.localhost:4200/waas-v1/local/granted',
      log,
    }
    app = createApp({ services, ready: database.ping })
    if (hasAdmin) {
      const guarded = createAdmin(clock, {
        notLocal: () => new Error('Only from this machine'),
        invalidRequest: ({ expected }) => new Error(`Expected ${expected}`),
      })
      app.route('/admin', guarded.route('/faults', createFaults(faults)))
    }
    const endSweeping = sweepAgainAndAgain(() => records.sweep(), log)
    return {
      url: publicUrl,
      internalUrl: `http://${host}:${port}`,
      port,
      clock,
      faults,
      async stop() {
        endSweeping()
        await closeServer(server)
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
