/** Signing in: a nonce and a wallet, a code by mail or SMS, a passkey, the host's own token; and the second factor. */
import { randomBytes, randomInt } from 'node:crypto'
import {
  AUTHENTICATION_METHODS,
  emailCannotBeNull,
  invalidEmail,
  invalidPhone,
  invalidSessionPublicKey,
  mfaDeviceNotFound,
  mfaInvalidCode,
  tooManyEmailVerificationAttempts,
  tooManyRequests,
  tooManySmsVerificationAttempts,
  tooManyVerificationAttempts,
  wrongEmailVerificationToken,
  wrongSmsVerificationToken,
} from '@keybay/kernel/spec'
import * as v from 'valibot'
import { begin, consume, peek } from '../accounts/ceremonies.js'
import { CHANNELS, type Channel, checkCode, sendCode, sentSchema } from '../accounts/codes.js'
import { proveExternal } from '../accounts/external.js'
import {
  assertionSchema,
  beginAssertion,
  beginRegistration,
  checkAssertion,
  finishRegistration,
  optionsSchema,
  registrationSchema,
} from '../accounts/passkeys.js'
import { authenticated, authenticatedSchema, completeSignIn, signInSchema } from '../accounts/sign-in.js'
import { NONCE_LIFETIME, proveWallet, walletProofSchema } from '../accounts/wallet.js'
import type { Environment } from '../environments.js'
import type { Call } from '../http/call.js'
import {
  ApiError,
  invalidExternalToken,
  invalidMessage,
  invalidNonce,
  invalidPasskey,
  invalidProof,
  invalidSignature,
  methodNotEnabled,
} from '../http/errors.js'
import { code, id, name, storage, time } from '../http/fields.js'
import { type Route, route } from '../http/route.js'
import { answerChallenge, beginChallenge, challengeSchema, factorAnswer, findDevice } from '../mfa/factors.js'

const keyErrors = [invalidSessionPublicKey, invalidProof] as const
const NONCE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'

const enabled = (environment: Environment, method: Exclude<keyof Environment['signIn'], 'social'>): void => {
  if (!environment.signIn[method]) throw new ApiError(methodNotEnabled)
}
const counted = ({ services, network }: Call): Promise<void> => services.limits.hit('sign-in per network', network)

const nonce = route(
  {
    method: 'POST',
    path: '/auth/nonce',
    tag: 'sign-in',
    summary: 'A nonce for a message that a wallet signs. Bound to the session key that asks.',
    access: 'key',
    status: 201,
    answer: v.object({ nonceId: v.string(), nonce: v.string(), expiresAt: time }),
    errors: [...keyErrors, tooManyRequests],
  },
  async call => {
    await counted(call)
    // Letters and digits only, as EIP-4361 has it; 20 of 55 are 115 bits.
    const text = Array.from({ length: 20 }, () => NONCE_LETTERS[randomInt(NONCE_LETTERS.length)]).join('')
    const ceremony = await begin(call, {
      kind: 'nonce',
      thumbprint: call.key.thumbprint,
      lifetime: NONCE_LIFETIME,
      data: { nonce: text },
    })
    return { nonceId: ceremony.id, nonce: text, expiresAt: ceremony.expiresAt }
  },
)

const wallet = route(
  {
    method: 'POST',
    path: '/auth/wallet',
    tag: 'sign-in',
    summary: 'Signs in with a Solana wallet: a signed message, or a transaction that is never sent.',
    access: 'key',
    body: v.strictObject({ proof: walletProofSchema, storage }),
    answer: signInSchema,
    errors: [...keyErrors, invalidMessage, invalidNonce, invalidSignature, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'wallet')
    await counted(call)
    const proved = await proveWallet(call, call.body.proof, call.key.thumbprint)
    return completeSignIn(call, proved, call.body.storage)
  },
)

const address = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(320))))

const codeRoutes = (channel: Channel): Route[] => {
  const { proved } = CHANNELS[channel]
  const body = channel === 'email' ? v.strictObject({ email: address }) : v.strictObject({ phoneNumber: address })
  const mine =
    channel === 'email'
      ? {
          address: [emailCannotBeNull, invalidEmail],
          code: [wrongEmailVerificationToken, tooManyEmailVerificationAttempts],
        }
      : { address: [invalidPhone], code: [wrongSmsVerificationToken, tooManySmsVerificationAttempts] }
  return [
    route(
      {
        method: 'POST',
        path: `/auth/${channel}`,
        tag: 'sign-in',
        summary: `Sends a one-time code by ${channel === 'email' ? 'mail' : 'SMS'}; the answer is the same whether or not anybody has the address.`,
        access: 'key',
        body,
        status: 202,
        answer: sentSchema,
        errors: [...keyErrors, ...mine.address, methodNotEnabled, tooManyRequests],
      },
      async call => {
        enabled(call.environment, channel)
        const to =
          'email' in call.body ? call.body.email : 'phoneNumber' in call.body ? call.body.phoneNumber : undefined
        return sendCode(call, { channel, to, thumbprint: call.key.thumbprint, purpose: 'sign-in' })
      },
    ),
    route(
      {
        method: 'POST',
        path: `/auth/${channel}/verify`,
        tag: 'sign-in',
        summary: 'Signs in with the code.',
        access: 'key',
        body: v.strictObject({ verificationId: id, code, storage }),
        answer: signInSchema,
        errors: [...keyErrors, ...mine.code, methodNotEnabled, tooManyRequests],
      },
      async call => {
        enabled(call.environment, channel)
        await counted(call)
        const { thumbprint } = call.key
        const subject = await checkCode(call, { channel, thumbprint, purpose: 'sign-in' }, call.body)
        return completeSignIn(call, proved(subject), call.body.storage)
      },
    ),
  ]
}

const passkeyOptions = route(
  {
    method: 'POST',
    path: '/auth/passkey/options',
    tag: 'sign-in',
    summary: 'WebAuthn options to sign in with a passkey; none is named, so autofill works and nothing is told.',
    access: 'key',
    status: 201,
    answer: optionsSchema,
    errors: [...keyErrors, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'passkey')
    await counted(call)
    return beginAssertion(call, { kind: 'passkey-sign-in', thumbprint: call.key.thumbprint })
  },
)

const passkey = route(
  {
    method: 'POST',
    path: '/auth/passkey',
    tag: 'sign-in',
    summary: 'Signs in with a passkey.',
    access: 'key',
    body: v.strictObject({ challengeId: id, response: assertionSchema, storage }),
    answer: signInSchema,
    errors: [...keyErrors, invalidPasskey, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'passkey')
    await counted(call)
    const { thumbprint } = call.key
    const ceremony = await consume(call, { id: call.body.challengeId, kind: 'passkey-sign-in', thumbprint })
    const proved = await checkAssertion(call, ceremony?.data.challenge, call.body.response)
    return completeSignIn(call, proved, call.body.storage)
  },
)

const signUpOptions = route(
  {
    method: 'POST',
    path: '/auth/passkey/sign-up/options',
    tag: 'sign-in',
    summary: 'WebAuthn options to make a passkey, and with it a new user.',
    access: 'key',
    body: v.strictObject({ userName: v.optional(name, 'User') }),
    status: 201,
    answer: optionsSchema,
    errors: [...keyErrors, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'passkey')
    await counted(call)
    const handle = randomBytes(32).toString('base64url')
    const { userName } = call.body
    return beginRegistration(call, {
      kind: 'passkey-sign-up',
      thumbprint: call.key.thumbprint,
      handle,
      userName,
      exclude: [],
    })
  },
)

const signUp = route(
  {
    method: 'POST',
    path: '/auth/passkey/sign-up',
    tag: 'sign-in',
    summary: 'Makes a user with the new passkey and signs in.',
    access: 'key',
    body: v.strictObject({ challengeId: id, response: registrationSchema, name: v.optional(name), storage }),
    answer: signInSchema,
    errors: [...keyErrors, invalidPasskey, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'passkey')
    await counted(call)
    const key = { id: call.body.challengeId, kind: 'passkey-sign-up', thumbprint: call.key.thumbprint } as const
    const { proved, handle } = await finishRegistration(call, key, call.body.response, call.body.name)
    return completeSignIn(call, proved, call.body.storage, handle)
  },
)

const external = route(
  {
    method: 'POST',
    path: '/auth/external',
    tag: 'sign-in',
    summary: 'Signs in with a JWT of the host.',
    access: 'key',
    body: v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)), storage }),
    answer: signInSchema,
    errors: [...keyErrors, invalidExternalToken, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'external')
    await counted(call)
    return completeSignIn(call, await proveExternal(call, call.body.token), call.body.storage)
  },
)

/** @throws ApiError `mfa_invalid_code` when no sign-in waits under this id for this key */
const pendingOf = async (call: Call, pendingId: string, thumbprint: string): Promise<{ userId: string }> => {
  const pending = await peek(call, { id: pendingId, kind: 'mfa-sign-in', thumbprint })
  if (!pending?.userId) throw new ApiError(mfaInvalidCode)
  return { userId: pending.userId }
}

const mfaChallenge = route(
  {
    method: 'POST',
    path: '/auth/mfa/challenge',
    tag: 'sign-in',
    summary: 'Begins the second factor of a sign-in. Without a device, for a recovery code.',
    access: 'key',
    body: v.strictObject({ pendingId: id, deviceId: v.optional(id) }),
    status: 201,
    answer: challengeSchema,
    errors: [...keyErrors, mfaInvalidCode, mfaDeviceNotFound, tooManyRequests],
  },
  async call => {
    const { userId } = await pendingOf(call, call.body.pendingId, call.key.thumbprint)
    const { deviceId } = call.body
    const device = deviceId === undefined ? undefined : await findDevice(call, userId, deviceId, true)
    const purpose = { pendingId: call.body.pendingId }
    return beginChallenge(call, { kind: 'mfa-challenge', thumbprint: call.key.thumbprint, userId, purpose }, device)
  },
)

const mfa = route(
  {
    method: 'POST',
    path: '/auth/mfa',
    tag: 'sign-in',
    summary: 'Ends a sign-in with its second factor.',
    access: 'key',
    body: v.strictObject({ pendingId: id, challengeId: id, ...factorAnswer }),
    answer: authenticatedSchema,
    errors: [...keyErrors, mfaInvalidCode, mfaDeviceNotFound, invalidPasskey, tooManyVerificationAttempts],
  },
  async call => {
    const { key, body } = call
    const { thumbprint } = key
    await pendingOf(call, body.pendingId, thumbprint)
    const challenge = await answerChallenge(call, { id: body.challengeId, kind: 'mfa-challenge', thumbprint }, body)
    if (challenge.data.pendingId !== body.pendingId) throw new ApiError(mfaInvalidCode)
    const pending = await consume(call, { id: body.pendingId, kind: 'mfa-sign-in', thumbprint })
    const kept = v.safeParse(pendingData, pending?.data)
    if (!pending?.userId || !kept.success) throw new ApiError(mfaInvalidCode)
    return authenticated(call, { ...kept.output, userId: pending.userId, key, isNewUser: false })
  },
)

const pendingData = v.object({ method: v.picklist(AUTHENTICATION_METHODS), storage: v.picklist(['body', 'cookie']) })

export const signInRoutes: readonly Route[] = [
  nonce,
  wallet,
  ...codeRoutes('email'),
  ...codeRoutes('phone'),
  passkeyOptions,
  passkey,
  signUpOptions,
  signUp,
  external,
  mfaChallenge,
  mfa,
]
