/** Flows that a click on “Passkey” starts: sign in, sign up, and link a new passkey. */
import type { Entrance, User } from '@keybay/account'
import type { ApiResponse, ConnectContext, Credential } from '@keybay/kernel'
import {
  isKeybayError,
  KeybayError,
  recordInvalid,
  userRejected,
  webauthnIdentifierMissing,
  webauthnUnsupported,
} from '@keybay/kernel/spec'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { PasskeyInput } from './api.js'
import { ceremony } from './ceremony.js'
import { forget } from './manage.js'
import { readCreation, readRequest } from './options.js'
import type { Tools } from './tools.js'

/** @throws KeybayError `webauthn_unsupported` */
export function requireWebAuthn(): void {
  if (!browserSupportsWebAuthn()) throw new KeybayError(webauthnUnsupported)
}
/** The API's limit, checked before the browser creates the passkey. */
const MAX_NAME_CHARACTERS = 64

function trim(value: unknown): string | undefined {
  return (typeof value === 'string' && value.trim()) || undefined
}

type Start = (options: PublicKeyCredentialRequestOptionsJSON, signal: AbortSignal) => Promise<unknown>

async function signIn(
  tools: Tools,
  entrance: Entrance,
  signal: AbortSignal,
  start: Start = optionsJSON => startAuthentication({ optionsJSON }),
): Promise<ApiResponse> {
  const { challengeId, options } = readRequest(await entrance.post('passkey/options'))
  const response = await ceremony(tools, signal, aborted => start(options, aborted))
  return entrance.post('passkey', { challengeId, response })
}

/** Shows the browser's dialog only if the browser has a passkey. @simplewebauthn/browser cannot ask for that. */
async function startImmediate(
  { challenge, rpId = location.hostname, userVerification = 'preferred' }: PublicKeyCredentialRequestOptionsJSON,
  signal: AbortSignal,
): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ challenge, rpId, userVerification })
  // `uiMode` is not in the DOM's types yet.
  const request = { publicKey, signal, uiMode: 'immediate' }
  const credential = await navigator.credentials.get(request)
  return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
}

async function signInAtOnce(tools: Tools, entrance: Entrance, signal: AbortSignal): Promise<ApiResponse> {
  const capabilities = await PublicKeyCredential.getClientCapabilities?.()
  if (!capabilities?.immediateGet) throw new KeybayError(userRejected)
  return signIn(tools, entrance, signal, startImmediate).catch(error => {
    // A device without a place for passkeys.
    throw isKeybayError(error, webauthnUnsupported) ? new KeybayError(userRejected, { cause: error }) : error
  })
}

interface Registration {
  readonly options: unknown
  /** Name under which the browser offers the passkey (S5.2). */
  readonly identifier: string | undefined
  readonly name: unknown
}
/** Signing up and linking share these steps; the entrance posts them to the right path. */
async function register(
  tools: Tools,
  { post }: Entrance,
  signal: AbortSignal,
  { options: body, identifier, name }: Registration,
): Promise<ApiResponse> {
  if (!identifier) throw new KeybayError(webauthnIdentifierMissing)
  const label = trim(name)
  if (label && label.length > MAX_NAME_CHARACTERS) throw new KeybayError(recordInvalid, { detail: 'PasskeyInput.name' })
  const { challengeId, options } = readCreation(await post('passkey/sign-up/options', body))
  // Only for display: the API identifies the passkey by its ID.
  const user = { ...options.user, name: identifier, displayName: identifier }
  const optionsJSON: PublicKeyCredentialCreationOptionsJSON = { ...options, user }
  const response = await ceremony(tools, signal, () => startRegistration({ optionsJSON }))
  try {
    return await post('passkey/sign-up', { challengeId, response, ...(label && { name: label }) })
  } catch (error) {
    // After any other error, the API may have stored the passkey.
    if (isKeybayError(error) && error.code === 'invalid_passkey') await forget(tools, response.id)
    throw error
  }
}

function getIdentifier({ username, email, phoneNumber }: User): string | undefined {
  return username ?? email ?? phoneNumber ?? undefined
}

async function link(tools: Tools, entrance: Entrance, signal: AbortSignal, { userName, name }: PasskeyInput) {
  const { user } = tools.account
  const getUserIdentifier = async () => {
    const current = user.current.user ?? (await user.refresh({ signal }))
    return current && getIdentifier(current)
  }
  const identifier = trim(userName) ?? (await getUserIdentifier())
  return register(tools, entrance, signal, { options: undefined, identifier, name })
}
/**
 * @throws KeybayError `webauthn_unsupported`, `webauthn_identifier_missing`, `user_rejected`, `aborted`, `passkey_exists`,
 * `invalid_passkey`, `record_invalid`, …
 */
export async function connect(
  tools: Tools,
  input: PasskeyInput | undefined,
  ctx: Pick<ConnectContext, 'signal' | 'prompt'>,
): Promise<Credential> {
  const { signal } = ctx
  signal.throwIfAborted()
  requireWebAuthn()
  const entrance = await tools.account.entrance(ctx)
  const proof =
    entrance.mode === 'link'
      ? await link(tools, entrance, signal, input ?? {})
      : input?.signUp
        ? await register(tools, entrance, signal, { options: {}, identifier: trim(input.userName), name: input.name })
        : await (input?.immediate ? signInAtOnce : signIn)(tools, entrance, signal)
  return { method: 'passkey', proof }
}
