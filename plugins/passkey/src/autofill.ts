/** Passkeys in the browser's own list below a field (conditional UI): waits in the background until the user picks one. */
import type { ExchangeContext, SessionState } from '@keybay/kernel'
import { browserSupportsWebAuthnAutofill, startAuthentication } from '@simplewebauthn/browser'
import { ceremony } from './ceremony.js'
import { demandWebAuthn } from './connect.js'
import { readRequest } from './options.js'
import type { Tools } from './tools.js'

/** A user may leave the page open for hours, and a challenge lasts minutes: how long one is used, ms. */
const RENEW_LEAST_MS = 60_000
const RENEW_MOST_MS = 4 * 60_000
const MARGIN_MS = 30_000

/** Aborts with the first of the signals, until `forget`. */
function either(signals: readonly (AbortSignal | undefined)[]) {
  const control = new AbortController()
  const end = () => control.abort()
  for (const signal of signals) {
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
  }
  const forget = () => {
    for (const signal of signals) signal?.removeEventListener('abort', end)
  }
  return { signal: control.signal, end, forget }
}

/** Somebody is in, or only has to verify an address. */
function isIn({ status }: SessionState) {
  return status === 'authenticated' || status === 'verification'
}

/** The proof by the passkey that the user picked; undefined when the challenge has to be renewed first. */
async function wait(tools: Tools, signal: AbortSignal): Promise<unknown> {
  const {
    account,
    kernel: { clock },
    errors: [KeybayError, , , aborted],
  } = tools
  const entrance = await account.entrance({ signal })
  if (entrance.mode === 'link') throw new KeybayError(aborted)
  const { challengeId, options, expiresAt } = readRequest(tools, await entrance.post('passkey/options'))
  const renewal = new AbortController()
  // Clocks differ, hence the bounds.
  const lasts = Math.min(Math.max(expiresAt - clock.now() - MARGIN_MS, RENEW_LEAST_MS), RENEW_MOST_MS)
  const cancel = clock.after(lasts, () => renewal.abort())
  const turn = either([signal, renewal.signal])
  const ask = () =>
    startAuthentication({ optionsJSON: options, useBrowserAutofill: true, verifyBrowserAutofillInput: false })
  try {
    const response = await ceremony(tools, turn.signal, ask)
    cancel()
    return await entrance.post('passkey', { challengeId, response })
  } catch (error) {
    if (renewal.signal.aborted && !signal.aborted) return undefined
    throw error
  } finally {
    cancel()
    turn.forget()
  }
}

/** See `PasskeyApi`. */
export async function autofill(tools: Tools, own: AbortSignal | undefined): Promise<SessionState | undefined> {
  demandWebAuthn(tools)
  const { kernel, errors, over } = tools
  const [, toKeybayError, userRejected, aborted] = errors
  const { session, logger } = kernel
  const { signal, end, forget } = either([own, over])
  const prompt: ExchangeContext['prompt'] = input => kernel.prompt(input, { connectorId: 'passkey', signal })
  let off = () => {}
  try {
    await session.restore()
    if (signal.aborted || isIn(session.current) || !(await browserSupportsWebAuthnAutofill())) return undefined
    off = session.subscribe(() => {
      if (isIn(session.current)) end()
    })
    if (!document.querySelector('input[autocomplete$="webauthn"]'))
      logger.warn('passkey: autofill needs <input autocomplete="username webauthn"> in the page')
    let proof: unknown
    while (proof === undefined) proof = await wait(tools, signal)
    off() // from here on it is we who sign in
    return await session.exchange({ method: 'passkey', proof }, { signal, prompt })
  } catch (thrown) {
    const error = toKeybayError(thrown, 'passkey')
    if (signal.aborted || error.code === userRejected.code || error.code === aborted.code) return undefined
    throw error
  } finally {
    off()
    forget()
  }
}
