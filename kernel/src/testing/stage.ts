/** Instance with one connector in a scene, and the state that a check may inspect. */
import type { ConnectContext, Connector } from '../connector.js'
import type { KeybayEvents } from '../events.js'
import type { AnyCore } from '../host.js'
import type { Kernel } from '../kernel.js'
import { createKeybay } from '../keybay.js'
import { type AnyPlugin, definePlugin } from '../plugin.js'
import { VERSION } from '../version.js'
import type { CreateConnector, Expectations, Scene, UserBehaviour } from './expectations.js'
import { type FakeClock, fakeClock, settle } from './fake-clock.js'
import { type World, watchWorld } from './watch-world.js'

export interface Stage {
  readonly keybay: AnyCore
  readonly kernel: Kernel
  readonly connector: Connector
  readonly clock: FakeClock
  readonly scene: Scene
  /** All events so far. */
  readonly events: readonly { readonly name: keyof KeybayEvents; readonly payload: unknown }[]
  /** Calls `keybay.connect` with the input from the expectations. */
  connect(signal?: AbortSignal): Promise<unknown>
  /** True if a user is signed in or a wallet is connected. */
  readonly isIn: boolean
  /** Simulates a page reload: a new instance with the same storage and scene. */
  reload(): Promise<Stage>
  /** Objects that setup added to the page before first use. Must be empty. */
  readonly built: readonly string[]
  /** The page around the connector. What the connector leaves in it must be gone after `dispose`. */
  readonly world: World
  /** Events of the kernel that the connector emitted itself. Must be empty. */
  readonly forged: readonly string[]
}

class Unmet extends Error {
  override readonly name = 'ConformanceError'
}
/** Thrown if no connector has the expected ID, so that no check can run. */
export class MissingConnector extends Unmet {}

/** @throws Error with `words`, so word them as a requirement. */
export function demand(met: unknown, words: string): asserts met {
  if (!met) throw new Unmet(words)
}

const realTimeout = globalThis.setTimeout
const realClear = globalThis.clearTimeout
/** Awaits the promise, or throws an error with `words` after the timeout. */
export async function within<T>(promise: Promise<T>, words: string, { patience = 2000 }: Expectations): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = realTimeout(() => reject(new Unmet(words)), patience)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    realClear(timer)
  }
}
/** Waits until `met` returns a truthy value; checks again whenever all ready promises have run. */
export function until(met: () => unknown, words: string, expectations: Expectations): Promise<void> {
  let over = false
  const look = async () => {
    while (!over && !met()) await settle()
  }
  return within(look(), words, expectations).finally(() => {
    over = true
  })
}
/** Returns the promise's rejection. @throws if the promise resolves or does not settle */
export function rejection(promise: Promise<unknown>, words: string, expectations: Expectations): Promise<unknown> {
  const rejected = within(
    promise.then(
      () => {
        throw new Unmet(words)
      },
      (error: unknown) => error,
    ),
    words,
    expectations,
  )
  rejected.catch(() => {}) // A check may do something else before it awaits the rejection.
  return rejected
}

/** Returns a context for calling a connector directly, without the kernel; records what was shown to the user. */
export function directContext(
  signal: AbortSignal,
  { kernel }: Pick<Stage, 'kernel'>,
  silent = false,
): { readonly ctx: ConnectContext; readonly shown: readonly string[] } {
  const shown: string[] = []
  const show = (what: string) => {
    shown.push(what)
    return new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  const ctx: ConnectContext = {
    signal,
    silent,
    gesture: undefined,
    log: kernel.logger,
    prompt: ({ type }) => show(`a prompt (${type})`),
    redirect: () => show('a redirect'),
  }
  return { ctx, shown }
}

let stages = 0

const KERNEL_EVENT = /^(connection|redirect|prompt|session):|^(operation:resumed|log)$/

/** Returns the plugin, with a bus that notes which events of the kernel the plugin emits. */
function watchEvents(plugin: AnyPlugin, forged: string[]): AnyPlugin {
  return {
    ...plugin,
    setup(kernel) {
      const { events } = kernel
      const emit: typeof events.emit = (name, payload) => {
        if (KERNEL_EVENT.test(name)) forged.push(name)
        events.emit(name, payload)
      }
      return plugin.setup({ ...kernel, events: { ...events, emit } })
    },
  }
}

async function open(
  create: CreateConnector,
  expectations: Expectations,
  scene: Scene,
  clock: FakeClock,
  environmentId: string,
  closing: (() => void)[],
): Promise<Stage> {
  const { id, kind, config, plugins = () => [] } = expectations
  let kernel: Kernel | undefined
  const probe = definePlugin({
    id: 'conformance',
    version: VERSION,
    setup(inner) {
      kernel = inner
      // The suite exchanges the login's credential, because no other plugin does.
      inner.session.register({
        exchange: async ({ method }) => {
          const state = { status: 'authenticated', userId: method } as const
          await inner.session.set(state)
          return state
        },
      })
      return {}
    },
  })
  const forged: string[] = []
  const plugin = watchEvents(create(scene), forged)
  const options = {
    appName: 'Conformance',
    // The log at its lowest level is what a developer, and the log sink of an app, may see.
    logLevel: 'debug',
    ...config,
    environmentId,
    clock,
    plugins: [...plugins(), plugin, probe],
  } as const
  const world = watchWorld()
  closing.push(world.restore)
  const [keybay, contacts] = world.contacts((): AnyCore => createKeybay(options))
  closing.push(keybay.dispose)
  const built = [...world.left(), ...contacts]
  const events: { name: keyof KeybayEvents; payload: unknown }[] = []
  keybay.onAny((name, payload) => events.push({ name, payload }))
  const answer = () => {
    for (const prompt of keybay.prompts.list()) {
      if (scene.user === 'refuses') prompt.cancel()
      if (scene.user !== 'approves') continue
      if (expectations.answer) expectations.answer(prompt)
      else if (prompt.type === 'choice') prompt.answer(prompt.options[0]?.id ?? '')
    }
  }
  keybay.prompts.subscribe(answer)
  const find = () => keybay.connectors.list().find(entry => entry.id === id)
  const missing = () => {
    const ids = keybay.connectors.list().map(entry => entry.id)
    return new MissingConnector(
      `there must be a connector “${id}”; there are: ${ids}. Give the suite the id that the connector has`,
    )
  }
  await until(find, '', expectations).catch(() => {
    throw missing()
  })
  await clock.advance(100) // Runs after the kernel's version check.
  const connector = find()
  const inner = kernel
  if (!connector || !inner) throw missing()
  return {
    keybay,
    kernel: inner,
    clock,
    scene,
    events,
    built,
    world,
    forged,
    get connector() {
      return find() ?? connector
    },
    connect(signal) {
      const attempt = keybay.connect(id, expectations.input, signal && { signal })
      attempt.catch(() => {}) // A failed check stops here.
      return attempt
    },
    get isIn() {
      // A wallet may require a signed-in user before it connects.
      const { status } = keybay.session.current
      return keybay.connections.get(id) !== undefined || (kind === 'login' && status !== 'anonymous')
    },
    reload() {
      keybay.dispose()
      world.restore()
      return open(create, expectations, scene, clock, environmentId, closing)
    },
  }
}

/** Runs a check, and restores the page afterwards, even on failure. */
export async function onStage(
  create: CreateConnector,
  expectations: Expectations,
  user: UserBehaviour,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  demand(
    typeof window === 'object' && typeof document === 'object',
    'the suite needs a page: put “// @vitest-environment happy-dom” at the top of the test',
  )
  const clock = fakeClock()
  const environmentId = `conformance-${++stages}`
  const closing: (() => void)[] = []
  try {
    await play(await open(create, expectations, { user, clock }, clock, environmentId, closing))
  } finally {
    for (const close of closing.reverse()) close()
    for (const key of Object.keys(localStorage))
      if (key.startsWith(`keybay:${environmentId}:`)) localStorage.removeItem(key)
  }
}
