/** Puts the modules together: `createKeybay` is the whole start of the kernel, in order. */
import { createAccounts } from './accounts.js'
import { type ResolvedConfig, resolveConfig } from './config.js'
import { createConnections } from './connections.js'
import { createBus, createStore, type MakeStore } from './events.js'
import type { AnyCore, Keybay, KeybayOptions } from './host.js'
import type { Kernel } from './kernel.js'
import { createLifecycle } from './lifecycle.js'
import { createLogger, type LogEntry } from './logger.js'
import type { AnyPlugin } from './plugin.js'
import { createPrompts } from './prompts.js'
import { createRedirects, watchReturns } from './redirects.js'
import { createRegistry } from './registry.js'
import { createSession } from './session.js'
import { disposed, KeybayError, pluginDuplicate, pluginMissing } from './spec/errors.js'
import { VERSION_MISMATCH_CHECK_DELAY_MS } from './spec/version-check.js'
import { createStorage } from './storage.js'
import { createTabs } from './tabs.js'
import { VERSION } from './version.js'
import { findMismatch, noteVersion } from './versions.js'

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** The default level of S9.5. Bundlers insert `NODE_ENV`; a page without a bundler has no `process`, and counts as production. */
function defaultLevel() {
  try {
    if (process.env.NODE_ENV !== 'production') return 'debug'
  } catch {
    // no bundler, no process
  }
  return 'warn'
}

/**
 * Sorts required plugins first, and keeps the order otherwise.
 *
 * @throws KeybayError `plugin_duplicate`, naming the first such id; `plugin_missing`, naming both plugins
 */
function inOrder(plugins: readonly AnyPlugin[]): readonly AnyPlugin[] {
  const ids = plugins.map(({ id }) => id)
  const duplicate = ids.find((id, index) => ids.indexOf(id) < index)
  if (duplicate !== undefined) throw new KeybayError(pluginDuplicate, { detail: duplicate })
  const seen = new Set<AnyPlugin>()
  const order: AnyPlugin[] = []
  const visit = (plugin: AnyPlugin) => {
    if (seen.has(plugin)) return
    seen.add(plugin)
    for (const id of plugin.requires ?? []) {
      const required = plugins.filter(plugin => plugin.id === id || plugin.apiKey === id)
      if (!required[0]) throw new KeybayError(pluginMissing, { detail: `'${plugin.id}' requires '${id}'` })
      required.forEach(visit)
    }
    order.push(plugin)
  }
  plugins.forEach(visit)
  return order
}

function createModules(config: ResolvedConfig) {
  const { clock, environmentId } = config
  let isReporting = false
  const report = (entry: LogEntry) => {
    if (isReporting) return // a `log` listener that throws must not cause an endless loop
    isReporting = true
    events.emit('log', entry)
    isReporting = false
  }
  const logger = createLogger(config.logLevel ?? defaultLevel(), report)
  const onThrow = (error: unknown) => logger.error('on', error)
  const events = createBus(onThrow)
  const lifecycle = createLifecycle(logger)
  const makeStore: MakeStore = value => createStore(value, onThrow, lifecycle.start)
  const storage = createStorage(environmentId, error => logger.debug('storage', error))
  const tabs = createTabs(environmentId, onThrow)
  const base = { config, clock, logger, events, storage, tabs, makeStore, lifecycle }
  const session = createSession(base)
  const prompts = createPrompts(base)
  const redirects = createRedirects(base)
  const connectors = createRegistry(makeStore)
  const modules = { ...base, session, prompts, redirects, connectors }
  const { connections, attempts } = createConnections(modules)
  return { ...modules, connections, attempts, accounts: createAccounts({ ...modules, connections }) }
}
type Modules = ReturnType<typeof createModules>

/** Sets up the plugins in order, and returns their APIs by name. */
function setUp(plugins: readonly AnyPlugin[], modules: Modules): Readonly<Record<string, unknown>> {
  const { lifecycle, connectors, prompts, redirects } = modules
  const apis: Record<string, unknown> = {}
  const kernel: Kernel = {
    ...modules,
    plugins: apis,
    prompt: prompts.ask,
    redirect: redirects.leave,
    onStart: lifecycle.onStart,
    onDispose: lifecycle.onDispose,
  }
  noteVersion('@keybay/kernel', VERSION)
  for (const plugin of inOrder(plugins))
    lifecycle.guard(`plugin ${plugin.id}`, () => {
      const { id, apiKey = id, kit, version } = plugin
      if (kit) noteVersion(`@keybay/${id.split(':')[0]}`, version)
      const { api, connectors: declared = [] } = plugin.setup(kernel)
      if (api !== undefined) {
        apis[apiKey] ??= api
        if (apis[apiKey] !== api) throw new Error(`keybay.${apiKey} is taken: set apiKey of '${id}'`)
      }
      connectors.declare(declared)
    })
  return apis
}

function createCore(apis: Readonly<Record<string, unknown>>, modules: Modules): AnyCore {
  const { config, connections, connectors, accounts, attempts, prompts, session, events, lifecycle, logger } = modules
  return {
    ...apis,
    config,
    connections,
    accounts,
    attempts,
    prompts,
    session,
    logger,
    connectors: {
      ...connectors,
      list() {
        lifecycle.start()
        return connectors.list()
      },
    },
    async connect(id, input, { signal } = {}) {
      lifecycle.start()
      if (lifecycle.isDisposed) throw new KeybayError(disposed, { connectorId: id })
      return connections.connect(id, input, signal)
    },
    disconnect: connections.disconnect,
    on: events.on,
    onAny: events.onAny,
    dispose() {
      if (lifecycle.isDisposed) return
      connections.dispose()
      lifecycle.dispose()
      connectors.clear()
      events.clear()
    },
  }
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
  const modules = createModules(resolveConfig(options))
  const { lifecycle, tabs, session, accounts, connections, clock, logger } = modules
  lifecycle.onStart(tabs.start)
  lifecycle.onStart(session.start)
  const apis = setUp(plugins, modules)
  lifecycle.onStart(accounts.start)
  lifecycle.onStart(connections.start)
  lifecycle.onStart(() => watchReturns(modules))
  lifecycle.onStart(() =>
    clock.after(VERSION_MISMATCH_CHECK_DELAY_MS, () => {
      const mismatch = findMismatch()
      if (mismatch) logger.error('version', mismatch)
    }),
  )
  return createCore(apis, modules)
}
