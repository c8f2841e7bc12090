/** Puts the modules together: `createKeybay` is the whole of the kernel's start, in order. */
import { createAccounts } from './accounts.js'
import { resolveConfig } from './config.js'
import { createConnections } from './connections.js'
import { createBus, createStore, type MakeStore } from './events.js'
import type { AnyCore, Kernel, Keybay, KeybayOptions } from './kernel.js'
import { createLogger, type LogEntry } from './logger.js'
import type { AnyPlugin } from './plugin.js'
import { createPrompts } from './prompts.js'
import { createRedirects } from './redirects.js'
import { createRegistry } from './registry.js'
import { watchReturns } from './returns.js'
import { createSession } from './session.js'
import { VERSION_MISMATCH_CHECK_DELAY_MS } from './spec/constants.js'
import { disposed, KeybayError, pluginDuplicate, pluginMissing } from './spec/errors.js'
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

/**
 * Sorts required plugins first, otherwise in the given order.
 *
 * @throws KeybayError `plugin_duplicate`, naming the id; `plugin_missing`, naming both plugins
 */
function inOrder(plugins: readonly AnyPlugin[]): readonly AnyPlugin[] {
  const ids = plugins.map(({ id }) => id)
  const duplicates = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  if (duplicates.size) throw new KeybayError(pluginDuplicate, { detail: [...duplicates].join(', ') })
  const seen = new Set<AnyPlugin>()
  const order: AnyPlugin[] = []
  const missing: string[] = []
  const visit = (plugin: AnyPlugin) => {
    if (seen.has(plugin)) return
    seen.add(plugin)
    for (const name of plugin.requires ?? []) {
      const required = plugins.filter(({ id, apiKey }) => id === name || apiKey === name)
      required.forEach(visit)
      if (!required.length) missing.push(`plugin '${plugin.id}' requires plugin '${name}'`)
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
 * @throws KeybayError `config_app_name`, `config_invalid`, `plugin_duplicate`, `plugin_missing`
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
  const session = createSession({ config, storage, tabs, bus, makeStore })
  const prompts = createPrompts({ bus, makeStore })
  const redirects = createRedirects({ clock, storage, bus })
  const registry = createRegistry(makeStore)
  const { connections, attempts } = createConnections({
    config,
    logger,
    prompts,
    redirects,
    registry,
    session,
    storage,
    tabs,
    bus,
    makeStore,
  })
  const accounts = createAccounts({ connections, storage, makeStore })

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
      () => watchReturns({ registry, connections, redirects }),
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
      const { id, apiKey = id, kit, version } = plugin
      if (kit) noteVersion(`@keybay/${id.split(':')[0]}`, version)
      const { api, connectors = [] } = plugin.setup(kernel)
      if (api !== undefined) {
        apis[apiKey] ??= api
        if (apis[apiKey] !== api)
          throw new Error(`keybay.${apiKey} belongs to another plugin. Choose another apiKey for '${id}'.`)
      }
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
      connections.dispose()
      for (const end of atEnd.reverse()) guarded('dispose', end)
      atEnd = []
      registry.clear()
      bus.clear()
    },
  }
}
