/**
 * Runs one WebAuthn dialog at a time per page. A new dialog aborts the previous one and waits until the browser has closed it,
 * because Safari rejects a dialog that begins earlier.
 */
import { aborted, field, isKeybayError, KeybayError, userRejected, webauthnUnsupported } from '@keybay/kernel/spec'
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { passkeyExists } from './errors.js'
import type { Tools } from './tools.js'

/** Time to wait for the previous dialog, in ms: some password managers replace the browser's and ignore an abort. */
const CLOSE_TIMEOUT_MS = 1000

class Turn {
  readonly controller = new AbortController()
  readonly closed: Promise<void>
  isClosed = false
  #resolve = () => {}

  /** @param isAutofill waits in the browser's list, and gives way to a dialog */
  constructor(readonly isAutofill: boolean) {
    this.closed = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  close(): void {
    this.isClosed = true
    if (current === this) current = undefined
    this.#resolve()
  }

  /** simplewebauthn ignores an abort while it checks the browser's autofill support, so this aborts a second time. */
  async abortDialog(): Promise<void> {
    WebAuthnAbortService.cancelCeremony()
    await browserSupportsWebAuthnAutofill()
    if (!this.isClosed) WebAuthnAbortService.cancelCeremony()
  }
}
/** The page's dialog, shared by all Keybay instances of the page. */
let current: Turn | undefined

/** Maps a browser's WebAuthn error (§5.1) to a KeybayError. Returns any other value unchanged. */
function explain(error: unknown): unknown {
  switch (field(error, 'name')) {
    // Declined, dismissed or timed out: browsers do not distinguish these, for privacy.
    case 'NotAllowedError':
      return new KeybayError(userRejected, { cause: error })
    // Thrown by Firefox when the user declines, and by simplewebauthn, as its own Error, when another call began.
    case 'AbortError':
      return new KeybayError(field(error, 'cause') instanceof DOMException ? userRejected : aborted, { cause: error })
    case 'InvalidStateError':
      return new KeybayError(passkeyExists, { cause: error })
    case 'NotSupportedError':
      return new KeybayError(webauthnUnsupported, { cause: error })
    default:
      return error
  }
}

function waitUpTo(ms: number, { clock }: Tools['kernel'], promise: Promise<void>): Promise<void> {
  return new Promise(resolve => {
    const cancel = clock.after(ms, resolve)
    void promise.then(() => {
      cancel()
      resolve()
    })
  })
}
/** Runs `start`; rejects with the turn's reason if the turn is aborted before the browser responds. */
function runDialog<T>(turn: Turn, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal } = turn.controller
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason)
      void turn.abortDialog()
    })
  })
  const running = start(signal)
  const close = () => turn.close()
  running.then(close, close)
  return Promise.race([running, stopped])
}
/**
 * Waits for its turn, then runs one ceremony.
 * @param start gets a signal that ends it; @simplewebauthn/browser needs none
 * @param isAutofill true: does not start while a dialog is open that a click on the page began
 * @throws the signal's reason; KeybayError `aborted` if a newer ceremony replaced it, `user_rejected`, `passkey_exists`,
 * `webauthn_unsupported`
 */
export async function ceremony<T>(
  { kernel }: Tools,
  signal: AbortSignal,
  start: (aborted: AbortSignal) => Promise<T>,
  isAutofill = false,
): Promise<T> {
  signal.throwIfAborted()
  const previous = current
  if (isAutofill && previous && !previous.isAutofill) throw new KeybayError(aborted)
  const turn = new Turn(isAutofill)
  current = turn
  const { controller } = turn
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort)
  let began = false
  try {
    if (previous) {
      previous.controller.abort(new KeybayError(aborted))
      await waitUpTo(CLOSE_TIMEOUT_MS, kernel, previous.closed)
    }
    controller.signal.throwIfAborted()
    began = true
    return await runDialog(turn, start)
  } catch (thrown) {
    if (controller.signal.aborted) throw controller.signal.reason
    const error = explain(thrown)
    if (isKeybayError(error) && !isKeybayError(error, aborted)) kernel.logger.warn('passkey', error)
    throw error
  } finally {
    if (!began) turn.close()
    signal.removeEventListener('abort', abort)
  }
}
