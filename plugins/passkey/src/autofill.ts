/** Offers passkeys in the browser's list below a field (conditional UI), and waits until the user selects one. */
import type { ApiResponse, ExchangeContext, SessionState } from '@keybay/kernel'
import { aborted, isKeybayError, KeybayError, toKeybayError, userRejected } from '@keybay/kernel/spec'
import { browserSupportsWebAuthnAutofill, startAuthentication } from '@simplewebauthn/browser'
import { ceremony } from './ceremony.js'
import { requireWebAuthn } from './connect.js'
import { readRequest } from './options.js'
import type { Tools } from './tools.js'

/** Limits for the use of one challenge: a page may stay open for hours, but a challenge is valid for minutes. */
const MIN_RENEWAL_MS = 60_000
const MAX_RENEWAL_MS = 4 * 60_000
const RENEWAL_MARGIN_MS = 30_000

/** Aborts with the first aborted signal, until `release`. */
function abortWithAny(signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController()
  const end = () => controller.abort()
  for (const signal of signals) {
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
  }
  const release = () => {
    for (const signal of signals) signal?.removeEventListener('abort', end)
  }
  return { signal: controller.signal, end, release }
}
/** Returns true also for a user who must still verify an address. */
function isSignedIn({ status }: SessionState) {
  return status === 'authenticated' || status === 'verification'
}
/** Returns the proof of the selected passkey, or undefined if the challenge must be renewed first. */
async function waitForPasskey(tools: Tools, signal: AbortSignal): Promise<ApiResponse | undefined> {
  const {
    account,
    kernel: { clock },
  } = tools
  const entrance = await account.entrance({ signal })
  if (entrance.mode === 'link') throw new KeybayError(aborted)
  const { challengeId, options, expiresAt } = readRequest(await entrance.post('passkey/options'))
  const renewal = new AbortController()
  // Bounded, because the server's clock may differ.
  const renewAfterMs = Math.min(Math.max(expiresAt - clock.now() - RENEWAL_MARGIN_MS, MIN_RENEWAL_MS), MAX_RENEWAL_MS)
  const cancel = clock.after(renewAfterMs, () => renewal.abort())
  const either = abortWithAny([signal, renewal.signal])
  const authenticate = () =>
    startAuthentication({ optionsJSON: options, useBrowserAutofill: true, verifyBrowserAutofillInput: false })
  try {
    const response = await ceremony(tools, either.signal, authenticate, true)
    cancel()
    return await entrance.post('passkey', { challengeId, response })
  } catch (error) {
    if (renewal.signal.aborted && !signal.aborted) return undefined
    throw error
  } finally {
    cancel()
    either.release()
  }
}

export async function autofill(tools: Tools, callerSignal: AbortSignal | undefined): Promise<SessionState | undefined> {
  requireWebAuthn()
  const { kernel, disposal } = tools
  const { session, logger } = kernel
  const { signal, end, release } = abortWithAny([callerSignal, disposal])
  const prompt: ExchangeContext['prompt'] = input => kernel.prompt(input, { connectorId: 'passkey', signal })
  let off = () => {}
  try {
    await session.restore()
    if (signal.aborted || isSignedIn(session.current) || !(await browserSupportsWebAuthnAutofill())) return undefined
    off = session.subscribe(() => {
      if (isSignedIn(session.current)) end()
    })
    if (!document.querySelector('input[autocomplete$="webauthn"]'))
      logger.warn('passkey: autofill needs <input autocomplete="username webauthn"> in the page')
    let proof: ApiResponse | undefined
    while (!proof) proof = await waitForPasskey(tools, signal)
    off() // The exchange below signs in, which must not end this call.
    return await session.exchange({ method: 'passkey', proof }, { signal, prompt })
  } catch (thrown) {
    const error = toKeybayError(thrown, 'passkey')
    if (signal.aborted || isKeybayError(error, userRejected) || isKeybayError(error, aborted)) return undefined
    throw error
  } finally {
    off()
    release()
  }
}
