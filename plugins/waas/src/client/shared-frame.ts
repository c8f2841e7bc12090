/** The hidden frame. All clients of one user and URL share it; the last client removes it (S4.6, S4.8, S4.9). */
import type { Logger } from '@keybay/kernel'
import {
  type Clock,
  IFRAME_LOAD_TIMEOUT_MOST_MS,
  IFRAME_LOAD_TIMEOUT_MS,
  KeybayError,
  messageHandlerMissing,
  toKeybayError,
  tokenExchangeFailed,
} from '@keybay/kernel/spec'
import type { WaasMessages } from '../protocol/messages.js'
import { waasProtocol } from '../protocol/schemas.js'
import { createSender } from '../protocol/sender.js'
import type { Sender } from '../protocol/spec.js'
import { type EarlyFrame, removeFrame } from './early-frame.js'
import { type LoadedFrame, loadFrame } from './load.js'
import { type FrameParameters, frameUrl } from './parameters.js'

export type FrameState = 'not-loaded' | 'loading' | 'ready' | 'failed'
/** One client's hold on the shared frame. */
export interface FrameHandle {
  readonly state: FrameState
  /** @throws KeybayError `iframe_load_failed`; `token_exchange_failed`; `message_handler_missing` after `release` */
  ready(): Promise<Sender<WaasMessages>>
  /** Leaves the frame. The last client removes it. */
  release(): void
}
export interface FrameUser {
  readonly parameters: FrameParameters
  /** The signed-in user: a frame serves one user. */
  readonly userId: string
  readonly clock: Clock
  readonly logger: Logger
  /** @throws KeybayError `session_missing` */
  readonly authToken: () => Promise<string>
  /** Returns the frame that loaded before the user signed in, if any. */
  readonly takeEarlyFrame?: EarlyFrame['take'] | undefined
  readonly onState: (state: FrameState) => void
}
/** How long a frame that does not acknowledge messages has to answer a ping, in ms. */
const PING_MS = 1000

interface Shared {
  readonly users: Set<FrameUser>
  state: FrameState
  /** In ms; doubles with each failure. */
  timeout: number
  loading: Promise<Sender<WaasMessages>> | undefined
  sender: Sender<WaasMessages> | undefined
  element: HTMLIFrameElement | undefined
  /** Aborts loading when the last client has left. */
  over: AbortController
}
const frames = new Map<string, Shared>()

function show(shared: Shared, state: FrameState) {
  if (shared.state === state) return
  shared.state = state
  for (const { onState } of [...shared.users]) onState(state)
}

function reset(shared: Shared) {
  shared.sender?.close()
  forget(shared)
}

function forget(shared: Shared) {
  shared.element?.remove()
  shared.sender = undefined
  shared.element = undefined
  shared.loading = undefined
}

async function load(shared: Shared, user: FrameUser, signal: AbortSignal): Promise<LoadedFrame> {
  const { parameters, clock, logger } = user
  signal.throwIfAborted() // every client has left
  show(shared, 'loading')
  try {
    const loaded = await loadFrame({
      parameters,
      view: 'hidden',
      // Frameworks replace the content of the body.
      container: document.documentElement,
      clock,
      timeout: shared.timeout,
      signal,
      onFailedTry: error => logger.warn('waas frame', error),
    })
    shared.element = loaded.element
    return loaded
  } catch (error) {
    shared.timeout = Math.min(shared.timeout * 2, IFRAME_LOAD_TIMEOUT_MOST_MS)
    throw error
  }
}

/** Returns the user's token from any client that has not left. */
async function getToken({ users }: Shared, signal: AbortSignal): Promise<string> {
  for (;;) {
    const [user] = users
    if (!user) throw toKeybayError(signal.reason)
    try {
      const token = await user.authToken()
      if (users.has(user)) return token
    } catch (error) {
      if (users.has(user)) throw error
    }
  }
}

/** Opens the frame that loaded before the user signed in. If that fails, or without one, loads a frame. */
async function openAny(shared: Shared, user: FrameUser): Promise<Sender<WaasMessages>> {
  const { signal } = shared.over
  const early = await user.takeEarlyFrame?.()
  if (!early) return open(shared, user, signal)
  if (signal.aborted) {
    removeFrame(early)
    throw toKeybayError(signal.reason)
  }
  shared.element = early.element
  show(shared, 'loading')
  try {
    return await open(shared, user, signal, early)
  } catch (error) {
    if (signal.aborted) throw error
    user.logger.debug('waas early frame', error)
    reset(shared)
    return open(shared, user, signal)
  }
}

async function open(
  shared: Shared,
  user: FrameUser,
  signal: AbortSignal,
  early?: LoadedFrame,
): Promise<Sender<WaasMessages>> {
  const { clock, logger } = user
  let token = await getToken(shared, signal)
  let loaded = early ?? (await load(shared, user, signal))
  let greeted = false
  const fail = () => {
    if (shared.sender !== sender) return
    reset(shared)
    show(shared, 'failed')
  }
  const greet = async () => {
    greeted = false
    await sender
      .send('sendAuthToken', { chainName: 'SOL', authToken: token, exchange: loaded.exchange })
      .catch(cause => {
        throw new KeybayError(tokenExchangeFailed, { cause })
      })
    greeted = true
  }
  /** A frame that answers a ping is only busy. A dead frame is loaded again. */
  const recover = async (): Promise<MessagePort | undefined> => {
    // A frame that refuses the token would be loaded forever.
    if (!greeted) throw new KeybayError(tokenExchangeFailed)
    const answers = () =>
      sender.ping(PING_MS).then(
        () => true,
        () => false,
      )
    if (loaded.element.isConnected && (await answers())) return undefined
    loaded.element.remove()
    try {
      token = await getToken(shared, signal)
      loaded = await load(shared, user, signal)
    } catch (error) {
      forget(shared) // its sender closes by itself
      show(shared, 'failed')
      throw error
    }
    show(shared, 'ready')
    return loaded.port
  }
  const sender = createSender(waasProtocol, loaded.port, {
    clock,
    recover,
    greet() {
      greet().catch(error => {
        logger.warn('waas frame', error)
        fail()
      })
    },
    onFalseNegative: report => logger.warn('waas frame: acknowledged after the time-out', report),
  })
  shared.sender = sender
  await greet()
  show(shared, 'ready')
  return sender
}

/** Joins the shared frame. */
export function acquireFrame(user: FrameUser): FrameHandle {
  const key = `${user.userId} ${frameUrl(user.parameters, '')}`
  const shared: Shared = frames.get(key) ?? {
    users: new Set(),
    state: 'not-loaded',
    timeout: IFRAME_LOAD_TIMEOUT_MS,
    loading: undefined,
    sender: undefined,
    element: undefined,
    over: new AbortController(),
  }
  frames.set(key, shared)
  shared.users.add(user)
  return {
    get state() {
      return shared.state
    },
    async ready() {
      if (!shared.users.has(user)) throw new KeybayError(messageHandlerMissing)
      const { over } = shared
      shared.loading ??= openAny(shared, user).catch(error => {
        if (over === shared.over) {
          reset(shared)
          show(shared, shared.users.size ? 'failed' : 'not-loaded')
        }
        throw toKeybayError(error)
      })
      return shared.loading
    },
    release() {
      if (!shared.users.delete(user) || shared.users.size) return
      shared.over.abort()
      shared.over = new AbortController()
      reset(shared)
      shared.state = 'not-loaded'
    },
  }
}
