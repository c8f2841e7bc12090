/** Runs WebAuthn ceremonies for passkeys with the parameters of S9.3, checked by @simplewebauthn/server. */
import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { credentials, passkeys } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, invalidPasskey } from '../http/errors.js'
import { begin, type CeremonyKey, consume } from './ceremonies.js'
import type { ProvedCredential } from './credentials.js'
import type { Assertion, Registration } from './passkey-schemas.js'

/** Loads the library with the first passkey: it has hundreds of modules. */
function loadWebauthn() {
  return import('@simplewebauthn/server')
}

const LIFETIME = 5 * 60_000
/** S9.3 */
const ES256 = -7
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const

function getTransports(known: readonly string[]): AuthenticatorTransport[] {
  return TRANSPORTS.filter(transport => known.includes(transport))
}

/** Stored passkey, as a list for WebAuthn options needs it. */
type Listed = readonly { readonly id: string; readonly transports: readonly string[] }[]

function describe(passkeys: Listed) {
  return passkeys.map(({ id, transports }) => ({ id, transports: getTransports(transports) }))
}

function newChallenge(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(32))
}

/** Returns WebAuthn options to create a passkey. @param handle 32 random bytes, base64url */
export async function creationOptions(
  { rpId, rpName }: { readonly rpId: string; readonly rpName: string },
  { handle, userName, exclude }: { readonly handle: string; readonly userName: string; readonly exclude: Listed },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadWebauthn()
  return generateRegistrationOptions({
    rpID: rpId,
    rpName,
    userID: new Uint8Array(Buffer.from(handle, 'base64url')),
    userName,
    challenge: newChallenge(),
    supportedAlgorithmIDs: [ES256],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'discouraged' },
    attestationType: 'none',
    excludeCredentials: describe(exclude),
  })
}

/** Returns WebAuthn options to use a passkey; without a list, the authenticator finds its own. */
export async function requestOptions(
  rpId: string,
  allow: Listed,
  userVerification: 'discouraged' | 'required' = 'discouraged',
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebauthn()
  const allowCredentials = describe(allow)
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: newChallenge(),
    userVerification,
    ...(allow.length > 0 && { allowCredentials }),
  })
}

/** Challenge and origins that a response must have been made for. */
export interface Expected {
  readonly rpId: string
  readonly origins: string[]
  readonly topOrigins?: string[]
  readonly challenge: unknown
}

export interface StoredPasskey {
  readonly passkeyId: string
  /** COSE, base64url */
  readonly publicKey: string
  readonly counter: number
  readonly transports: string[]
}

/** Checks that a browser that reports the top page of a frame reports an allowed one. */
async function isEmbedded(clientDataJSON: string, topOrigins: readonly string[] | undefined): Promise<boolean> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  const { topOrigin } = decodeClientDataJSON(clientDataJSON)
  return topOrigins === undefined || topOrigin === undefined || topOrigins.includes(topOrigin)
}

/** @throws ApiError `invalid_passkey` */
export async function verifyCreation(response: Registration, expected: Expected): Promise<StoredPasskey> {
  const { challenge, origins, rpId, topOrigins } = expected
  const verify = async () => {
    if (typeof challenge !== 'string') return undefined
    if (!(await isEmbedded(response.response.clientDataJSON, topOrigins))) return undefined
    const { verifyRegistrationResponse } = await loadWebauthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: registrationResponse(response),
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: [ES256],
    })
    return registrationInfo?.credential
  }
  const credential = await verify().catch(() => undefined)
  if (!credential) throw new ApiError(invalidPasskey)
  return {
    passkeyId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: getTransports(response.response.transports ?? []),
  }
}

/** @throws ApiError `invalid_passkey` */
export async function verifyUse(
  response: Assertion,
  { challenge, origins, rpId, topOrigins }: Expected,
  { passkeyId, publicKey, counter }: Omit<StoredPasskey, 'transports'>,
): Promise<{ counter: number; isUserVerified: boolean }> {
  if (typeof challenge !== 'string') throw new ApiError(invalidPasskey)
  const { verifyAuthenticationResponse } = await loadWebauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertionResponse(response),
    expectedChallenge: challenge,
    expectedOrigin: origins,
    ...(topOrigins && { expectedTopOrigin: topOrigins }),
    expectedRPID: rpId,
    requireUserVerification: false,
    credential: { id: passkeyId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw new ApiError(invalidPasskey)
  return { counter: authenticationInfo.newCounter, isUserVerified: authenticationInfo.userVerified }
}

export interface NewPasskey {
  readonly kind: 'passkey-register' | 'passkey-sign-up'
  readonly thumbprint: string
  readonly userId?: string
  /** 32 random bytes, base64url */
  readonly handle: string
  readonly userName: string
  readonly exclude: Listed
}
export interface Started<Options> {
  readonly challengeId: string
  readonly expiresAt: number
  readonly options: Options & Record<string, unknown>
}

export async function beginRegistration(
  call: Call,
  { kind, thumbprint, userId, ...passkey }: NewPasskey,
): Promise<Started<PublicKeyCredentialCreationOptionsJSON>> {
  const { id: rpId, name: rpName } = call.environment.relyingParty
  const options = await creationOptions({ rpId, rpName }, passkey)
  const data = { challenge: options.challenge, handle: passkey.handle }
  const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data })
  return { challengeId: id, expiresAt, options: { ...options } }
}

/** @throws ApiError `invalid_passkey` */
export async function finishRegistration(
  call: Call,
  key: CeremonyKey,
  response: Registration,
  name = 'Passkey',
): Promise<{ proved: ProvedCredential; handle: string; userId: string | null }> {
  const ceremony = await consume(call, key)
  const { challenge, handle } = ceremony?.data ?? {}
  if (!ceremony || typeof handle !== 'string') throw new ApiError(invalidPasskey)
  const { passkeyId: subject, ...passkey } = await verifyCreation(response, expectedInPage(call, challenge))
  return { proved: { method: 'passkey', provider: '', subject, name, passkey }, handle, userId: ceremony.userId }
}

export interface NewAssertion extends Pick<CeremonyKey, 'kind' | 'thumbprint'> {
  readonly userId?: string
  readonly data?: object
  /** Credential that has signed in: as a second factor, its own passkey must verify the user. */
  readonly first?: string | null | undefined
}

export async function beginAssertion(
  call: Call,
  { kind, thumbprint, userId, data, first }: NewAssertion,
): Promise<Started<PublicKeyCredentialRequestOptionsJSON>> {
  // Name no passkey at sign-in: callers must not learn which users have one.
  const known = userId === undefined ? [] : await getPasskeys(call, userId)
  const isFirst = known.some(({ credentialId }) => credentialId === first)
  const verification = isFirst ? 'required' : 'discouraged'
  const options = await requestOptions(call.environment.relyingParty.id, known, verification)
  const stored = { ...data, challenge: options.challenge }
  const { id, expiresAt } = await begin(call, { kind, thumbprint, userId, lifetime: LIFETIME, data: stored })
  return { challengeId: id, expiresAt, options: { ...options } }
}

export function getPasskeys({ services }: Call, userId: string) {
  return services.db
    .select({ id: credentials.subject, transports: passkeys.transports, credentialId: credentials.id })
    .from(passkeys)
    .innerJoin(credentials, eq(credentials.id, passkeys.credentialId))
    .where(eq(credentials.userId, userId))
}

/** @param userId owner of the passkey; any user when signing in @throws ApiError `invalid_passkey` */
export async function checkAssertion(
  call: Call,
  challenge: unknown,
  response: Assertion,
  userId?: string,
): Promise<ProvedCredential & { readonly credentialId: string; readonly isUserVerified: boolean }> {
  const { db } = call.services
  const [row] = await db
    .select()
    .from(passkeys)
    .innerJoin(credentials, eq(credentials.id, passkeys.credentialId))
    .where(
      and(
        eq(credentials.environmentId, call.environment.id),
        eq(credentials.method, 'passkey'),
        eq(credentials.subject, response.id),
      ),
    )
  if (!row || (userId !== undefined && row.credentials.userId !== userId)) throw new ApiError(invalidPasskey)
  const { id: credentialId, subject } = row.credentials
  const stored = { ...row.passkeys, passkeyId: subject }
  const { counter, isUserVerified } = await verifyUse(response, expectedInPage(call, challenge), stored)
  await db.update(passkeys).set({ counter }).where(eq(passkeys.credentialId, credentialId))
  return { method: 'passkey', provider: '', subject, credentialId, isUserVerified }
}

/** Expects the calling page's origin; without one (a test, a native app), any page of the environment. */
function expectedInPage({ environment, origin }: Call, challenge: unknown): Expected {
  const origins = origin === undefined ? [...environment.pageOrigins] : [origin]
  return { challenge, origins, rpId: environment.relyingParty.id }
}

/** Passes on only the fields that the library reads. */
function responseOf<Response>({ authenticatorAttachment, ...rest }: Registration | Assertion, response: Response) {
  const attachment = authenticatorAttachment ? { authenticatorAttachment } : {}
  return { ...rest, ...attachment, clientExtensionResults: {}, response }
}

function registrationResponse(registration: Registration): RegistrationResponseJSON {
  const { clientDataJSON, attestationObject, transports = [] } = registration.response
  return responseOf(registration, { clientDataJSON, attestationObject, transports: getTransports(transports) })
}

function assertionResponse(assertion: Assertion): AuthenticationResponseJSON {
  const { clientDataJSON, authenticatorData, signature, userHandle } = assertion.response
  return responseOf(assertion, { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) })
}
