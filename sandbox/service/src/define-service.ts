/** Base of every service: options, clock, key check, database, listening, health, admin, sweeping and a clean stop. */

import type { Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { answerClientErrors } from './client-error.js'
import { type Clock, MovableClock } from './clock.js'
import type { DatabaseOptions, DatabaseService } from './database/options.js'
import { type AdminErrors, createAdmin } from './http/admin.js'
import { describeError, mountHealth } from './http/json.js'
import { closeServer, getServerOptions, listen } from './listen.js'
import type { Log } from './log.js'
import { measurePool, measureSweeps } from './metrics/measures.js'
import { type Metrics, type MetricsPlace, NO_METRICS } from './metrics/metrics.js'
import type { RunningMetrics } from './metrics/prometheus.js'
import { StartUpCheck, type StartUpOptions } from './start-up.js'
import type { RunningTracing } from './tracing/tracing.js'

export type { Labels } from './metrics/metrics.js'

/** Interval at which every service deletes expired data, in ms. */
const SWEEP_EVERY = 60_000
/** Time in production between the 503 of `/ready` and the end of listening, for load balancers to see it, in ms. */
const DRAIN_MS = 5_000

export interface ServiceOptions {
  /** Port to listen on; 0, the default, picks any free port. */
  readonly port?: number
  /** Host to listen on. Default 127.0.0.1. */
  readonly host?: string
  /** URL for browsers; by default a name of this machine. */
  readonly publicUrl?: string
  /** Folder of PGlite and the keys. Without it and without `databaseUrl`, the data is lost when the process ends. */
  readonly dataDir?: string | undefined
  /** PostgreSQL URL, `postgres://…`, instead of PGlite. */
  readonly databaseUrl?: string
  readonly clock?: Clock
  /** Enables `/admin`, for requests from this machine only. On by default; always off in production. */
  readonly admin?: boolean
  /** Receives structured log lines; by default none are written. */
  readonly log?: Log
  /** Where `/metrics` listens; without it the service measures nothing. */
  readonly metrics?: MetricsPlace | undefined
  /** Traces requests with OpenTelemetry, which its standard variables set up. Default: false. */
  readonly isTraced?: boolean
  /** Default: production, also for a service inside another program. Tests and tools pass `sandbox`. */
  readonly mode?: StartUpOptions['mode']
  /** Invalid variables of the environment that these options come from: the start error lists them with all others. */
  readonly invalid?: StartUpOptions['invalid']
  /** Variables that production lacks, or that are unsafe there. */
  readonly unsafe?: StartUpOptions['unsafe']
  /** Receives every statement, for tests that count them. */
  readonly onQuery?: (query: string) => void
}

export interface Service {
  /** URL for browsers, e.g. `http://localhost:4400`. */
  readonly url: string
  /** URL for Node, which does not resolve `*.localhost`. */
  readonly internalUrl: string
  readonly port: number
  /** URL of `/metrics`, if the service has it. */
  readonly metricsUrl: string | undefined
  readonly clock: MovableClock
  /** Answers a request within this process, without a socket. */
  fetch(request: Request): Promise<Response>
  /** Deletes expired data now, instead of within a minute. */
  sweep(): Promise<void>
  /** Lets running requests end, then closes the remaining connections. */
  stop(): Promise<void>
}

/** Addresses on which the service is reachable. */
export interface ServicePlace {
  /** Mount point for the service's routes; `/health` and `/ready` are already mounted if the service has readiness checks. */
  readonly app: Hono
  readonly port: number
  readonly host: string
  readonly publicUrl: string
}

export interface ServiceFacts<Facts> {
  /** Properties of the running service. */
  readonly facts: Facts
  readonly sweep?: () => Promise<unknown>
  /** Adds routes below `/admin`, behind its guard. */
  readonly extendAdmin?: (admin: Hono) => void
}

/** Connection of requests without a socket, as `getConnInfo` reads it. */
const IN_PROCESS = { incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 0, remoteFamily: 'IPv4' } } }

type OpenFunction<Database> = (options: DatabaseOptions) => Promise<Database>

export interface ServiceParts<Options> {
  readonly options: Options
  readonly check: StartUpCheck
  readonly clock: MovableClock
  readonly log: Log
  readonly metrics: Metrics
  /** Fails the start when a setting is invalid; otherwise opens the database, and closes it with the service. */
  openDatabase<Database extends DatabaseService>(open: OpenFunction<Database>): Promise<Database>
  /** Adds to what `GET /ready` needs, beside the database. @param check rejects while it is away */
  addReadiness(check: () => Promise<void>): void
  /** Registers a cleanup for shutdown, run in reverse order, also when the start fails. */
  onStop(close: () => unknown): void
}

type Mount<Facts> = (place: ServicePlace) => ServiceFacts<Facts> | Promise<ServiceFacts<Facts>>

/** Server of a service that does not use Hono. */
export interface OwnServer<Facts> {
  readonly server: Server
  /** Listens and returns the port. Default: same as the other services. @throws PortTakenError */
  readonly listen?: () => Promise<number>
  readonly mount: Mount<Facts>
}

export interface ServiceDefinition<Options extends ServiceOptions, Facts> {
  /** Name of the service in errors and variables: `relay2` listens on RELAY2_PORT. */
  readonly name: string | ((options: Options) => string)
  /** Variable of `admin`; by default `<NAME>_ADMIN`. */
  readonly adminVariable?: string
  /** Path prefix of every route, after the origin: `/api/v0`. */
  readonly path?: string
  /** Returns the default host name of the public URL. Default `localhost`. */
  readonly localName?: (host: string) => string
  /** Returns headers for every response that does not set them itself. */
  readonly headers?: (check: StartUpCheck) => Readonly<Record<string, string>>
  /** Errors of `/admin`; without them there is no `/admin`. */
  readonly adminErrors?: AdminErrors
  /** Maximum time to wait for running requests on shutdown, in ms. Default 20 s. */
  readonly graceMs?: number
  /** Longest time for receiving a request, in ms. Default 15 s. */
  readonly requestTimeoutMs?: number
  /** Prepares everything that does not depend on the port; the returned function adds the routes, which may. */
  create(parts: ServiceParts<Options>): Promise<Mount<Facts> | OwnServer<Facts>>
}

/**
 * Returns the function that starts a service.
 * @example
 * export const startIdentity = defineService<IdentityOptions, IdentityFacts>({
 *   name: 'identity', adminErrors,
 *   async create({ openDatabase, clock }) {
 *     const { db } = await openDatabase(openIdentityDatabase)
 *     return ({ app, publicUrl }) => { mountRoutes(app, { db, clock, publicUrl }); return { facts: {} } }
 *   },
 * })
 */
export function defineService<Options extends ServiceOptions, Facts extends object>(
  definition: ServiceDefinition<Options, Facts>,
): (options: Options) => Promise<Service & Facts> {
  return async options => {
    const closers: (() => unknown)[] = []
    const close = async () => {
      for (const closer of closers.splice(0).reverse()) await closer()
    }
    try {
      return await start(definition, options, { onStop: closer => void closers.push(closer), close })
    } catch (error) {
      await close()
      throw error
    }
  }
}

interface Closing {
  onStop(closer: () => unknown): void
  close(): Promise<void>
}

async function start<Options extends ServiceOptions, Facts extends object>(
  definition: ServiceDefinition<Options, Facts>,
  options: Options,
  { onStop, close }: Closing,
): Promise<Service & Facts> {
  const { path = '', localName = () => 'localhost', adminErrors, graceMs, requestTimeoutMs } = definition
  const { host = '127.0.0.1', log = () => undefined } = options
  const name = typeof definition.name === 'string' ? definition.name : definition.name(options)
  const variable = name.toUpperCase()
  const check = new StartUpCheck({ service: name, ...options })
  const hasAdmin = check.hasAdmin(options.admin, definition.adminVariable ?? `${variable}_ADMIN`)
  const clock = new MovableClock(options.clock)
  const measured = await measure(options, name)
  // It is the last to stop, so that the end of the others is seen.
  if (measured) onStop(measured.stop)
  const tracing = await startTracing(options, name)
  if (tracing) onStop(tracing.stop)
  const { metrics = NO_METRICS } = measured ?? {}
  const readiness: (() => Promise<void>)[] = []
  const created = await definition.create({
    options,
    check,
    clock,
    log,
    metrics,
    onStop,
    addReadiness: check => void readiness.push(check),
    openDatabase: async open => {
      const database = await openChecked(open, check, options)
      onStop(database.close)
      readiness.push(database.ping)
      measurePool(metrics, database)
      return database
    },
  })
  // The public URL in the app contains the port, so the server starts first. Until all routes exist, an empty app
  // responds: Hono accepts no route after its first request.
  let current = new Hono()
  const serverOptions = getServerOptions(requestTimeoutMs)
  const fetch = (request: Request, env: object) => current.fetch(request, env)
  const withHono = () => createAdaptorServer({ fetch, hostname: host, serverOptions })
  const { server, mount, ...own } = typeof created === 'function' ? { server: withHono(), mount: created } : created
  answerClientErrors(server, adminErrors?.invalidRequest)
  const listening = { service: name, variable: `${variable}_PORT`, port: options.port ?? 0, host }
  const port = await ('listen' in own && own.listen ? own.listen() : listen(server, listening))
  let isServing = false
  onStop(async () => {
    const isBalanced = isServing && check.isProduction && readiness.length > 0
    isServing = false
    if (isBalanced) await setTimeout(DRAIN_MS)
    await closeServer(server, graceMs)
  })
  const publicUrl = (options.publicUrl ?? `http://${localName(host)}:${port}${path}`).replace(/\/$/, '')
  const app = new Hono()
  if (measured) app.use(measured.measureRequests)
  if (definition.headers) app.use(addHeaders(definition.headers(check)))
  if (readiness.length > 0)
    mountHealth(app, async () => {
      if (!isServing) throw new Error('The service is stopping.')
      await Promise.all(readiness.map(check => check()))
    })
  // After the health checks, which load balancers send all the time.
  if (tracing) app.use(tracing.traceRequests)
  const { facts, sweep = async () => undefined, extendAdmin } = await mount({ app, port, host, publicUrl })
  if (hasAdmin && adminErrors) {
    const admin = createAdmin(clock, adminErrors)
    extendAdmin?.(admin)
    app.route('/admin', admin)
  }
  current = app
  isServing = true
  const sweepNow = measureSweeps(metrics, sweep)
  onStop(sweepRegularly(sweepNow, log))
  const internalUrl = `http://${host}:${port}${path}`
  const answer = async (request: Request) => current.fetch(request, IN_PROCESS)
  const metricsUrl = measured?.url
  return { url: publicUrl, internalUrl, port, metricsUrl, clock, fetch: answer, sweep: sweepNow, stop: close, ...facts }
}

/** Loads the library only where it is used. */
async function measure({ metrics }: ServiceOptions, name: string): Promise<RunningMetrics | undefined> {
  if (!metrics) return undefined
  const { startMetrics } = await import('./metrics/prometheus.js')
  return startMetrics(metrics, name)
}

/** Loads the library only where it is used. */
async function startTracing({ isTraced }: ServiceOptions, name: string): Promise<RunningTracing | undefined> {
  if (!isTraced) return undefined
  const opentelemetry = await import('./tracing/opentelemetry.js')
  return opentelemetry.startTracing(name)
}

function addHeaders(headers: Readonly<Record<string, string>>): MiddlewareHandler {
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.header(name, value)
  }
}

function openChecked<Database>(
  open: OpenFunction<Database>,
  check: StartUpCheck,
  { databaseUrl, dataDir, onQuery }: ServiceOptions,
): Promise<Database> {
  check.throwUnlessDatabaseIsKnown()
  const options = { url: databaseUrl, dataDir: dataDir && join(dataDir, 'db'), onQuery }
  return open(options).catch((error: unknown) => check.fail(error))
}

/** Sweeps once a minute; logs a failed sweep and continues. @returns a function that stops sweeping */
function sweepRegularly(sweep: () => Promise<unknown>, log: Log): () => void {
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log({ level: 'error', message: 'sweep failed', error: describeError(error) }))
  }, SWEEP_EVERY)
  return () => clearInterval(timer)
}
