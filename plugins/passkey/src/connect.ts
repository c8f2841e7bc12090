/** The three things that a click on “Passkey” may be: signing in, signing up, and linking a new one. */
import type { Entrance, User } from '@keybay/account'
import type { ConnectContext, Credential } from '@keybay/kernel'
import { recordInvalid, webauthnIdentifierMissing, webauthnUnsupported } from '@keybay/kernel/spec'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { PasskeyInput } from './api.js'
import { ceremony } from './ceremony.js'
import { forget } from './forget.js'
import { readCreation, readRequest } from './options.js'
import type { Tools } from './tools.js'

/** @throws KeybayError `webauthn_unsupported` */
export function demandWebAuthn({ errors: [KeybayError] }: Pick<Tools, 'errors'>): void {
  if (!browserSupportsWebAuthn()) throw new KeybayError(webauthnUnsupported)
}

/** As the API takes it. Looked at beforehand: later there would be a passkey already. */
const LONGEST_NAME = 64

function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value.trim()) || undefined
}

async function signIn(tools: Tools, entrance: Entrance, signal: AbortSignal): Promise<unknown> {
  const { challengeId, options } = readRequest(tools, await entrance.post('passkey/options'))
  const response = await ceremony(tools, signal, () => startAuthentication({ optionsJSON: options }))
  return entrance.post('passkey', { challengeId, response })
}

interface Registration {
  readonly options: unknown
  /** Whose passkey the browser says it is; S5.2 wants one. */
  readonly identifier: string | undefined
  readonly name: unknown
}
/** The steps are called the same to link: `account` knows where they are then. */
async function register(
  tools: Tools,
  { post }: Entrance,
  signal: AbortSignal,
  { options: body, identifier, name }: Registration,
): Promise<unknown> {
  const [KeybayError] = tools.errors
  if (!identifier) throw new KeybayError(webauthnIdentifierMissing)
  const label = textOf(name)
  if (label && label.length > LONGEST_NAME) throw new KeybayError(recordInvalid, { detail: 'PasskeyInput.name' })
  const { challengeId, options } = readCreation(tools, await post('passkey/sign-up/options', body))
  // Only for the user: the API knows the passkey by its id.
  const user = { ...options.user, name: identifier, displayName: identifier }
  const optionsJSON: PublicKeyCredentialCreationOptionsJSON = { ...options, user }
  const response = await ceremony(tools, signal, () => startRegistration({ optionsJSON }))
  try {
    return await post('passkey/sign-up', { challengeId, response, ...(label && { name: label }) })
  } catch (error) {
    // Only where the API says so: after any other error it may have taken it, or may have had it.
    if (error instanceof KeybayError && error.code === 'invalid_passkey') await forget(tools, response.id)
    throw error
  }
}

function signUp(tools: Tools, entrance: Entrance, signal: AbortSignal, { userName, name }: PasskeyInput) {
  return register(tools, entrance, signal, { options: {}, identifier: textOf(userName), name })
}

function identifierOf({ username, email, phoneNumber }: User): string | undefined {
  return username ?? email ?? phoneNumber ?? undefined
}

async function link(tools: Tools, entrance: Entrance, signal: AbortSignal, { userName, name }: PasskeyInput) {
  const { user } = tools.account
  const known = async () => {
    const own = user.current.user ?? (await user.refresh({ signal }))
    return own && identifierOf(own)
  }
  const identifier = textOf(userName) ?? (await known())
  return register(tools, entrance, signal, { options: undefined, identifier, name })
}

/**
 * @throws KeybayError `webauthn_unsupported`, `webauthn_identifier_missing`, `user_rejected`, `aborted`, `passkey_exists`,
 *   `invalid_passkey`, `record_invalid`, …
 */
export async function connect(
  tools: Tools,
  input: PasskeyInput | undefined,
  ctx: Pick<ConnectContext, 'signal' | 'prompt'>,
): Promise<Credential> {
  const { signal } = ctx
  signal.throwIfAborted()
  demandWebAuthn(tools)
  const entrance = await tools.account.entrance(ctx)
  const given: PasskeyInput = Object(input) // whatever a page hands in
  const proof =
    entrance.mode === 'link'
      ? await link(tools, entrance, signal, given)
      : given.signUp
        ? await signUp(tools, entrance, signal, given)
        : await signIn(tools, entrance, signal)
  return { method: 'passkey', proof }
}
