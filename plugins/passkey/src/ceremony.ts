/**
 * WebAuthn's dialogues, one at a time in a page, as a browser wants it: a newer one ends the older and begins when the
 * browser has let go of it, because Safari refuses one that begins before.
 */
import { webauthnUnsupported } from '@keybay/kernel/spec'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { passkeyExists } from './errors.js'
import type { Tools } from './tools.js'

interface Turn {
  readonly stop: AbortController
  /** Resolves when the browser has let go. */
  readonly over: Promise<void>
}
/** Some password managers take the browser's place and do not hear an abort: they are waited for no longer than this, ms. */
const LET_GO_MS = 1000
/** Of the page, as the browser's dialogue is: there may be several instances. */
let current: Turn | undefined

function nameOf(value: unknown): unknown {
  return Reflect.get(Object(value), 'name')
}

/** How a browser says what went wrong (WebAuthn §5.1), as a KeybayError. Anything else comes back as it is. */
function explain({ errors: [KeybayError, , userRejected, aborted] }: Pick<Tools, 'errors'>, error: unknown): unknown {
  const cause: unknown = Reflect.get(Object(error), 'cause')
  switch (nameOf(error)) {
    // Declined, dismissed, or not answered in time: browsers do not tell these apart, for privacy.
    case 'NotAllowedError':
      return new KeybayError(userRejected, { cause: error })
    // Firefox says so of a user who declines; simplewebauthn, with an Error of its own, when another call of it began.
    case 'AbortError':
      return new KeybayError(cause instanceof DOMException ? userRejected : aborted, { cause: error })
    case 'InvalidStateError':
      return new KeybayError(passkeyExists, { cause: error })
    case 'NotSupportedError':
      return new KeybayError(webauthnUnsupported, { cause: error })
    default:
      return error
  }
}

/** An abort while simplewebauthn still asks for autofill comes before there is a call: ask the same, and abort again. */
async function letGo(isOver: () => boolean): Promise<void> {
  WebAuthnAbortService.cancelCeremony()
  await browserSupportsWebAuthnAutofill()
  if (!isOver()) WebAuthnAbortService.cancelCeremony()
}

/**
 * Runs one ceremony when its turn has come.
 *
 * @throws the signal's reason; KeybayError `aborted` when a newer ceremony took its place, `user_rejected`, `passkey_exists`,
 *   `webauthn_unsupported`
 */
export async function ceremony<T>(tools: Tools, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const { kernel, errors } = tools
  const [KeybayError, , , aborted] = errors
  signal.throwIfAborted()
  const stop = new AbortController()
  const before = current
  let finish = () => {}
  let isOver = false
  const over = new Promise<void>(resolve => {
    finish = () => {
      isOver = true
      if (current === turn) current = undefined
      resolve()
    }
  })
  const turn: Turn = { stop, over }
  current = turn
  const heard = () => stop.abort(signal.reason)
  signal.addEventListener('abort', heard)
  let began = false
  try {
    if (before) {
      before.stop.abort(new KeybayError(aborted))
      await inTime(tools, before.over)
    }
    stop.signal.throwIfAborted()
    const stopped = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => {
        reject(stop.signal.reason)
        void letGo(() => isOver)
      })
    })
    began = true
    const running = run()
    running.then(finish, finish)
    return await Promise.race([running, stopped])
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason
    const fault = explain(tools, error)
    if (fault instanceof KeybayError && fault.code !== aborted.code) kernel.logger.warn('passkey', fault)
    throw fault
  } finally {
    if (!began) finish()
    signal.removeEventListener('abort', heard)
  }
}

function inTime({ kernel }: Pick<Tools, 'kernel'>, promise: Promise<void>): Promise<void> {
  return new Promise(resolve => {
    const cancel = kernel.clock.after(LET_GO_MS, resolve)
    void promise.then(() => {
      cancel()
      resolve()
    })
  })
}
