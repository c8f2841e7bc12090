/** Runs WebAuthn ceremonies for passkeys with the parameters of S9.3, checked by @simplewebauthn/server. */
import { randomBytes } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { credentials, passkeys } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { ApiError, invalidPasskey } from '../http/errors.js'
import { base64url } from '../http/fields.js'
import { begin, type CeremonyKey, consume } from './ceremonies.js'
import type { ProvedCredential } from './credentials.js'

const LIFETIME = 5 * 60_000
/** S9.3 */
export const ES256 = -7
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const

const extensions = v.optional(v.record(v.string(), v.unknown()))
const shared = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.nullable(v.picklist(['platform', 'cross-platform']))),
  clientExtensionResults: extensions,
}
/** RegistrationResponseJSON of WebAuthn. */
export const registrationSchema = v.object({
  ...shared,
  response: v.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(16_384),
    transports: v.optional(v.array(v.pipe(v.string(), v.maxLength(32)))),
  }),
})
/** AuthenticationResponseJSON of WebAuthn. */
export const assertionSchema = v.object({
  ...shared,
  response: v.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(1024),
    userHandle: v.optional(v.nullable(base64url(128))),
  }),
})
export type Registration = v.InferOutput<typeof registrationSchema>
export type Assertion = v.InferOutput<typeof assertionSchema>

/** Options in the format of `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
export const optionsSchema = v.object({
  challengeId: v.string(),
  expiresAt: v.number(),
  options: v.pipe(v.record(v.string(), v.unknown()), v.description('WebAuthn options as JSON')),
})

export function getTransports(known: readonly string[]): AuthenticatorTransport[] {
  return TRANSPORTS.filter(transport => known.includes(transport))
}

export function newChallenge(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(32))
}

export interface NewPasskey {
  readonly kind: 'passkey-register' | 'passkey-sign-up'
  readonly thumbprint: string
  readonly userId?: string
  /** 32 random bytes, base64url */
  readonly handle: string
  /** Name that the authenticator shows. */
  readonly userName: string
  readonly exclude: readonly string[]
}
export interface Started<Options> {
  readonly challengeId: string
  readonly expiresAt: number
  readonly options: Options & Record<string, unknown>
}

export async function beginRegistration(
  call: Call,
  { kind, thumbprint, userId, handle, userName, exclude }: NewPasskey,
): Promise<Started<PublicKeyCredentialCreationOptionsJSON>> {
  const { relyingParty } = call.environment
  const options = await generateRegistrationOptions({
    rpID: relyingParty.id,
    rpName: relyingParty.name,
    userID: new Uint8Array(Buffer.from(handle, 'base64url')),
    userName,
    challenge: newChallenge(),
    supportedAlgorithmIDs: [ES256],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'discouraged' },
    attestationType: 'none',
    excludeCredentials: exclude.map(id => ({ id })),
  })
  const ceremony = await begin(call, {
    kind,
    thumbprint,
    userId,
    lifetime: LIFETIME,
    data: { challenge: options.challenge, handle },
  })
  return { challengeId: ceremony.id, expiresAt: ceremony.expiresAt, options: { ...options } }
}

/** @throws ApiError `invalid_passkey` */
export async function finishRegistration(
  call: Call,
  key: CeremonyKey,
  response: Registration,
  name: string | undefined,
): Promise<{ proved: ProvedCredential; handle: string; userId: string | null }> {
  const ceremony = await consume(call, key)
  const { challenge, handle } = ceremony?.data ?? {}
  if (!ceremony || typeof challenge !== 'string' || typeof handle !== 'string') throw new ApiError(invalidPasskey)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: registrationResponse(response),
    expectedChallenge: challenge,
    expectedOrigin: expectedOrigins(call),
    expectedRPID: call.environment.relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: [ES256],
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw new ApiError(invalidPasskey)
  const { credential } = registrationInfo
  const proved: ProvedCredential = {
    method: 'passkey',
    provider: '',
    subject: credential.id,
    name: name ?? 'Passkey',
    passkey: {
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: getTransports(response.response.transports ?? []),
    },
  }
  return { proved, handle, userId: ceremony.userId }
}

export async function beginAssertion(
  call: Call,
  { kind, thumbprint, userId, data }: Pick<CeremonyKey, 'kind' | 'thumbprint'> & { userId?: string; data?: object },
): Promise<Started<PublicKeyCredentialRequestOptionsJSON>> {
  // Name no passkey at sign-in: the authenticator finds its own, and callers cannot learn which users have one.
  const known = userId === undefined ? [] : await getPasskeys(call, userId)
  const options = await generateAuthenticationOptions({
    rpID: call.environment.relyingParty.id,
    challenge: newChallenge(),
    userVerification: 'discouraged',
    ...(known.length > 0 && {
      allowCredentials: known.map(({ id, transports }) => ({ id, transports: getTransports(transports) })),
    }),
  })
  const ceremony = await begin(call, {
    kind,
    thumbprint,
    userId,
    lifetime: LIFETIME,
    data: { ...data, challenge: options.challenge },
  })
  return { challengeId: ceremony.id, expiresAt: ceremony.expiresAt, options: { ...options } }
}

export function getPasskeys({ services }: Call, userId: string) {
  return services.db
    .select({ id: credentials.subject, transports: passkeys.transports })
    .from(passkeys)
    .innerJoin(credentials, eq(credentials.id, passkeys.credentialId))
    .where(eq(credentials.userId, userId))
}

/** @param userId owner of the passkey; any user when signing in @throws ApiError `invalid_passkey` */
export async function checkAssertion(
  call: Call,
  expectedChallenge: unknown,
  response: Assertion,
  userId?: string,
): Promise<ProvedCredential & { readonly credentialId: string }> {
  const { db } = call.services
  const [found] = await db
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
  if (!found || typeof expectedChallenge !== 'string') throw new ApiError(invalidPasskey)
  if (userId !== undefined && found.credentials.userId !== userId) throw new ApiError(invalidPasskey)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertionResponse(response),
    expectedChallenge,
    expectedOrigin: expectedOrigins(call),
    expectedRPID: call.environment.relyingParty.id,
    requireUserVerification: false,
    credential: {
      id: found.credentials.subject,
      publicKey: new Uint8Array(Buffer.from(found.passkeys.publicKey, 'base64url')),
      counter: found.passkeys.counter,
    },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw new ApiError(invalidPasskey)
  await db
    .update(passkeys)
    .set({ counter: authenticationInfo.newCounter })
    .where(eq(passkeys.credentialId, found.credentials.id))
  return { method: 'passkey', provider: '', subject: found.credentials.subject, credentialId: found.credentials.id }
}

/** Returns the origin of the calling page; without one (a test, a native app), every page of the environment. */
function expectedOrigins({ environment, origin }: Call): string[] {
  return origin === undefined ? [...environment.pageOrigins] : [origin]
}

function attachment(value: 'platform' | 'cross-platform' | null | undefined) {
  return value ? { authenticatorAttachment: value } : {}
}

export function registrationResponse({
  response,
  authenticatorAttachment,
  ...rest
}: Registration): RegistrationResponseJSON {
  return {
    ...rest,
    ...attachment(authenticatorAttachment),
    clientExtensionResults: {},
    response: {
      clientDataJSON: response.clientDataJSON,
      attestationObject: response.attestationObject,
      transports: getTransports(response.transports ?? []),
    },
  }
}

export function assertionResponse({
  response,
  authenticatorAttachment,
  ...rest
}: Assertion): AuthenticationResponseJSON {
  return {
    ...rest,
    ...attachment(authenticatorAttachment),
    clientExtensionResults: {},
    response: {
      clientDataJSON: response.clientDataJSON,
      authenticatorData: response.authenticatorData,
      signature: response.signature,
      ...(response.userHandle && { userHandle: response.userHandle }),
    },
  }
}
