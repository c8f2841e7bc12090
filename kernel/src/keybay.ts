/** Puts the modules together: `createKeybay` is the whole of the kernel's start, in order. */
import { createAccounts } from './accounts.js'
import { createAttempts } from './attempts.js'
import { resolveConfig } from './config.js'
import { createConnections } from './connections.js'
import { KeybayError, pluginMissing } from './errors.js'
import { createBus } from './events.js'
import type { AnyCore, Kernel, Keybay, KeybayOptions } from './kernel.js'
import { createLogSink } from './log-sink.js'
import { createLogger, type LogEntry } from './logger.js'
import type { AnyPlugin } from './plugin.js'
import { createPrompts } from './prompts.js'
import { createRedirects } from './redirects.js'
import { createRegistry } from './registry.js'
import { watchReturns } from './returns.js'
import { createSession } from './session.js'
import { createStorage } from './storage.js'
import { createTabs } from './tabs.js'
import { VERSION } from './version.js'
import { findMismatch, noteVersion } from './versions.js'

declare const process: { readonly env: { readonly NODE_ENV?: string } }
/** S9.4: how long after the start the versions of all packages are compared, ms. */
const VERSION_CHECK_MS = 100

/** Required plugins first; otherwise in the order given. @throws KeybayError `plugin_missing`, naming both plugins. */
const inOrder = (plugins: readonly AnyPlugin[]): readonly AnyPlugin[] => {
  const byId = new Map(plugins.map(plugin => [plugin.id, plugin]))
  const done = new Set<AnyPlugin>()
  const wrong: string[] = []
  const visit = (plugin: AnyPlugin, path: readonly string[]) => {
    if (done.has(plugin)) return
    if (path.includes(plugin.id)) {
      wrong.push(`circle ${[...path, plugin.id].join(' → ')}`)
      return
    }
    for (const id of plugin.requires ?? []) {
      const needed = byId.get(id)
      if (needed) visit(needed, [...path, plugin.id])
      else wrong.push(`plugin '${plugin.id}' requires plugin '${id}': add it to plugins`)
    }
    done.add(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  if (wrong.length) throw new KeybayError(pluginMissing, { detail: wrong.join('; ') })
  return [...done]
}

/**
 * Creates an instance: synchronous, safe on a server, and quiet until something subscribes, lists or connects.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard()] })
 * const connection = await keybay.connect('wallet-standard:phantom')
 * @throws KeybayError `config_app_name`, `config_invalid`, `plugin_missing`
 */
export function createKeybay<const P extends readonly AnyPlugin[]>(options: KeybayOptions<P>): Keybay<P[number]>
export function createKeybay({ plugins, ...options }: KeybayOptions<readonly AnyPlugin[]>): AnyCore {
  const config = resolveConfig(options)
  const { clock, environmentId, baseApiUrl } = config
  const sink = baseApiUrl ? createLogSink(new URL(`/api/v1/${environmentId}`, baseApiUrl).href, clock) : undefined
  let reporting = false
  const report = (entry: LogEntry) => {
    if (reporting) return // a listener of `log` that throws must not make a circle
    reporting = true
    bus.emit('log', entry)
    if (entry.level === 'error') sink?.(entry)
    reporting = false
  }
  const level = typeof process === 'object' && process.env.NODE_ENV === 'production' ? 'warn' : 'debug'
  const logger = createLogger(config.logLevel ?? level, report)
  const heard = (what: string) => (error: unknown) => logger.error(`${what} listener`, error)
  const bus = createBus(heard('event'))
  const storage = createStorage(environmentId, error => logger.debug('storage', error))
  const tabs = createTabs(environmentId)
  const onSubscribe = () => start()
  const lock = `keybay:${environmentId}:renew`
  const session = createSession({ storage, tabs, bus, logger, clock, lock, onSubscribe })
  const prompts = createPrompts(bus, heard('prompt'), onSubscribe)
  const redirects = createRedirects(storage, bus, clock)
  const registry = createRegistry(bus, logger, onSubscribe)
  const attempts = createAttempts({ config, prompts, redirects, bus, logger, onSubscribe })
  const connections = createConnections({ registry, attempts, session, storage, tabs, bus, logger, clock, onSubscribe })
  const accounts = createAccounts({ connections, storage, onThrow: heard('account'), onSubscribe })

  let state: 'idle' | 'started' | 'over' = 'idle'
  let atStart: Parameters<Kernel['onStart']>[0][] = []
  let atEnd: (() => void)[] = []
  const guarded = (what: string, run: () => void) => {
    try {
      run()
    } catch (error) {
      logger.error(what, error)
    }
  }
  const begin = (run: Parameters<Kernel['onStart']>[0]) =>
    guarded('start', () => {
      const end = run()
      if (end) atEnd.push(end)
    })
  /** The world (channel, storage, wallets) is touched on first use only: servers and StrictMode create and throw away. */
  const start = () => {
    if (state !== 'idle' || typeof window === 'undefined') return
    state = 'started'
    const back = (event: PageTransitionEvent) => {
      if (event.persisted) attempts.stopRedirecting()
    }
    const steps: typeof atStart = [
      tabs.start,
      session.start,
      ...atStart,
      accounts.start,
      connections.start,
      () => watchReturns({ registry, connections, redirects, prompts, bus, logger }),
      () => {
        window.addEventListener('pageshow', back)
        return () => window.removeEventListener('pageshow', back)
      },
      () =>
        clock.after(VERSION_CHECK_MS, () => {
          const mismatch = findMismatch()
          if (mismatch) logger.error('versions', mismatch)
        }),
    ]
    atStart = []
    steps.forEach(begin)
  }

  const apis: Record<string, unknown> = {}
  const kernel: Kernel = {
    config,
    clock,
    logger,
    storage,
    session,
    tabs,
    events: bus,
    connections,
    accounts,
    plugins: apis,
    connectors: registry,
    prompt: prompts.ask,
    redirect: redirects.leave,
    onStart: run => {
      if (state === 'started') begin(run)
      else atStart.push(run)
    },
    onDispose: run => {
      atEnd.push(run)
    },
  }
  noteVersion('@keybay/kernel', VERSION)
  for (const plugin of inOrder(plugins))
    guarded(`plugin ${plugin.id}`, () => {
      noteVersion(plugin.id, plugin.version)
      const { api, connectors = [] } = plugin.setup(kernel)
      if (api !== undefined) apis[plugin.id] = api
      registry.declare(connectors)
    })
  return {
    ...apis,
    config,
    connectors: {
      ...registry,
      list() {
        start()
        return registry.list()
      },
    },
    connections,
    accounts,
    attempts,
    prompts,
    session,
    connect(id, input, { signal } = {}) {
      start()
      return connections.connect(id, input, signal)
    },
    disconnect: connections.disconnect,
    on: bus.on,
    onAny: bus.onAny,
    dispose() {
      if (state === 'over') return
      state = 'over'
      attempts.dispose()
      connections.dispose()
      for (const end of atEnd.reverse()) guarded('dispose', end)
      atEnd = []
      registry.clear()
      bus.clear()
    },
  }
}
