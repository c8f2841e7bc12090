/** Puts the modules together: `createKeybay` is the whole of the kernel's start, in order. */
import { createAccounts } from './accounts.js'
import { createAttempts } from './attempts.js'
import { resolveConfig } from './config.js'
import { createConnections } from './connections.js'
import { createBus, createStore, type MakeStore } from './events.js'
import type { AnyCore, Kernel, Keybay, KeybayOptions } from './kernel.js'
import { createLogger, type LogEntry } from './logger.js'
import type { Parts } from './parts.js'
import type { AnyPlugin } from './plugin.js'
import { createPrompts } from './prompts.js'
import { createRedirects } from './redirects.js'
import { createRegistry } from './registry.js'
import { watchReturns } from './returns.js'
import { createSession } from './session.js'
import { VERSION_MISMATCH_CHECK_DELAY_MS } from './spec/constants.js'
import { disposed, KeybayError, pluginMissing } from './spec/errors.js'
import { createStorage } from './storage.js'
import { createTabs } from './tabs.js'
import { VERSION } from './version.js'
import { findMismatch, noteVersion } from './versions.js'

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** S9.5. Bundlers put the value in; a page without one has no `process`, and is somebody's production. */
function defaultLevel() {
  try {
    if (process.env.NODE_ENV !== 'production') return 'debug'
  } catch {
    // no bundler, no process
  }
  return 'warn'
}

/** Required plugins first; otherwise in the order given. @throws KeybayError `plugin_missing`, naming both plugins. */
function inOrder(plugins: readonly AnyPlugin[]): readonly AnyPlugin[] {
  const byId = new Map(plugins.map(plugin => [plugin.id, plugin]))
  const seen = new Set<AnyPlugin>()
  const order: AnyPlugin[] = []
  const missing: string[] = []
  const visit = (plugin: AnyPlugin) => {
    if (seen.has(plugin)) return
    seen.add(plugin)
    for (const id of plugin.requires ?? []) {
      const needed = byId.get(id)
      if (needed) visit(needed)
      else missing.push(`plugin '${plugin.id}' requires plugin '${id}'`)
    }
    order.push(plugin)
  }
  plugins.forEach(visit)
  if (missing.length) throw new KeybayError(pluginMissing, { detail: missing.join('; ') })
  return order
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
  const { clock, environmentId } = config
  let reporting = false
  const report = (entry: LogEntry) => {
    if (reporting) return // a listener of `log` that throws must not make a circle
    reporting = true
    bus.emit('log', entry)
    reporting = false
  }
  const logger = createLogger(config.logLevel ?? defaultLevel(), report)
  const onThrow = (error: unknown) => logger.error('on', error)
  const bus = createBus(onThrow)
  const storage = createStorage(environmentId, error => logger.debug('storage', error))
  const tabs = createTabs(environmentId, onThrow)
  const makeStore: MakeStore = value => createStore(value, onThrow, () => start())
  const base = { config, logger, bus, storage, tabs, makeStore }
  const session = createSession(base)
  const prompts = createPrompts(base)
  const redirects = createRedirects(base)
  const registry = createRegistry(base)
  const known = { ...base, session, prompts, redirects, registry }
  const attempts = createAttempts(known)
  const connections = createConnections({ ...known, attempts })
  const parts: Parts = { ...known, attempts, connections }
  const accounts = createAccounts(parts)

  let state: 'on' | 'off' | undefined
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
    if (state || typeof window === 'undefined') return
    state = 'on'
    const steps: typeof atStart = [
      tabs.start,
      session.start,
      ...atStart,
      accounts.start,
      connections.start,
      () => watchReturns(parts),
      () =>
        clock.after(VERSION_MISMATCH_CHECK_DELAY_MS, () => {
          const mismatch = findMismatch()
          if (mismatch) logger.error('version', mismatch)
        }),
    ]
    atStart = []
    steps.forEach(begin)
  }

  const apis: Record<string, unknown> = {}
  const kernel: Kernel = {
    ...parts,
    clock,
    events: bus,
    accounts,
    plugins: apis,
    connectors: registry,
    prompt: prompts.ask,
    redirect: redirects.leave,
    onStart: run => {
      if (state === 'on') begin(run)
      else atStart.push(run)
    },
    onDispose: run => {
      atEnd.push(run)
    },
  }
  noteVersion('@keybay/kernel', VERSION)
  for (const plugin of inOrder(plugins))
    guarded(`plugin ${plugin.id}`, () => {
      if (plugin.kit) noteVersion(`@keybay/${plugin.id}`, plugin.version)
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
    async connect(id, input, { signal } = {}) {
      start()
      if (state === 'off') throw new KeybayError(disposed, { connectorId: id })
      return connections.connect(id, input, signal)
    },
    disconnect: connections.disconnect,
    on: bus.on,
    onAny: bus.onAny,
    dispose() {
      if (state === 'off') return
      state = 'off'
      attempts.stop(() => true, disposed)
      connections.dispose()
      for (const end of atEnd.reverse()) guarded('dispose', end)
      atEnd = []
      registry.clear()
      bus.clear()
    },
  }
}
