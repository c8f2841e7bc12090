/** One-time codes by email and SMS: six digits, hashed, single-use, five tries, ten minutes, rate-limited. */
import { randomInt } from 'node:crypto'
import {
  type ErrorSpec,
  emailCannotBeNull,
  invalidEmail,
  invalidPhone,
  tooManyEmailVerificationAttempts,
  tooManySmsVerificationAttempts,
  wrongEmailVerificationToken,
  wrongSmsVerificationToken,
} from '@keybay/kernel/spec'
import { getSite } from '@keybay/sandbox-service/http'
import * as v from 'valibot'
import type { Call, ProvedKey, UnspentProof } from '../http/call.js'
import { ApiError, type ApiErrorCode } from '../http/errors.js'
import { time } from '../http/fields.js'
import type { Expense } from '../security/rate-limits.js'
import type { CeremonyKind } from './ceremonies.js'
import { storeCode, tryCode, tryToSignIn } from './code-statements.js'
import { type CodeEffect, type CodeText, codeText } from './code-text.js'
import { findCredential, type ProvedCredential } from './credentials.js'
import type { KnownUser } from './known-user.js'
import { readPhone, smsExpenses } from './phone.js'
import { startSession, type TokenStorage } from './sessions.js'

const LIFETIME = 10 * 60_000
const TRIES = 5

/** Purpose of a code that signs in. */
export const SIGN_IN = 'sign-in'

export type Channel = 'email' | 'phone'

/**
 * Returns an email address in lower case. Accepts ASCII only: with look-alike letters, one mailbox could get two users,
 * or two mailboxes one.
 * @throws ApiError `email_cannot_be_null`, `invalid_email`
 */
export function normalizeEmail(value: string | null | undefined): string {
  // Lower case comes last: that of some other letters is ASCII.
  const email = (value ?? '').trim()
  if (email === '') throw new ApiError(emailCannotBeNull)
  const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
  const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
  const at = email.lastIndexOf('@')
  const [name, host] = [email.slice(0, at), email.slice(at + 1)]
  if (at < 1 || email.length > 254 || name.length > 64 || !local.test(name) || !domain.test(host))
    throw new ApiError(invalidEmail)
  return email.toLowerCase()
}

type Errors = readonly ErrorSpec<ApiErrorCode>[]

/** Recipient of a code. */
interface Recipient {
  readonly address: string
  /** Country of a phone number. */
  readonly country?: string
}

interface ChannelFacts {
  readonly kind: CeremonyKind
  /** Name of the address in a request. */
  readonly field: 'email' | 'phoneNumber'
  readonly addressErrors: Errors
  readonly wrong: ErrorSpec<ApiErrorCode>
  readonly tooMany: ErrorSpec<ApiErrorCode>
  read(value: string | null | undefined): Recipient
  send(call: Call, to: string, text: CodeText): Promise<void>
  proved(subject: string): ProvedCredential
}

const CHANNELS: { readonly [C in Channel]: ChannelFacts } = {
  email: {
    kind: 'email-code',
    field: 'email',
    addressErrors: [emailCannotBeNull, invalidEmail],
    wrong: wrongEmailVerificationToken,
    tooMany: tooManyEmailVerificationAttempts,
    read: value => ({ address: normalizeEmail(value) }),
    send: ({ services }, to, { subject, text }) => services.delivery.mail(to, subject, text),
    proved: subject => ({ method: 'email', provider: '', subject }),
  },
  phone: {
    kind: 'phone-code',
    field: 'phoneNumber',
    addressErrors: [invalidPhone],
    wrong: wrongSmsVerificationToken,
    tooMany: tooManySmsVerificationAttempts,
    read: value => {
      const { number, country } = readPhone(value)
      return { address: number, country }
    },
    send: ({ services }, to, { text }) => services.delivery.sms(to, text),
    proved: subject => ({ method: 'phoneNumber', provider: '', subject }),
  },
}

const addressField = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(320))))

/** Returns the body and the errors of the two routes that send and check a code. */
export function describeChannel(channel: Channel) {
  const { field, addressErrors, wrong, tooMany } = CHANNELS[channel]
  const body = v.strictObject({ [field]: addressField })
  return { field, body, addressErrors, codeErrors: [wrong, tooMany] }
}

export const sentSchema = v.object({ verificationId: v.string(), expiresAt: time })
export type Sent = v.InferOutput<typeof sentSchema>

export interface CodeRequest {
  readonly channel: Channel
  readonly to: string | null | undefined
  readonly thumbprint: string
  /** Sign-in, linking to a user, or one of the MFA ceremonies; a code for one purpose is not valid for another. */
  readonly purpose: string
  /** User to add the address to; absent when the code signs in. */
  readonly linksTo?: string | undefined
  /** Proof of the request; absent if it was used up before. */
  readonly proof?: UnspentProof | undefined
}

/** Address of a right code. */
export interface ProvedAddress {
  readonly proved: ProvedCredential
  /** Text that names the address in rate limits. */
  readonly recipient: string
}

/** Returns what the code does. Only the receiver learns whether the address belongs to an account. */
async function getEffect(
  { services, environment }: Call,
  proved: ProvedCredential,
  linksTo: string | undefined,
): Promise<CodeEffect> {
  if (linksTo === undefined) return 'sign-in'
  const taken = await findCredential(services.db, environment.id, proved)
  return environment.merge && taken && taken.userId !== linksTo ? 'merge' : 'link'
}

/** Text that names a recipient in rate limits. */
function getRecipient(channel: Channel, address: string): string {
  return `${channel} ${address}`
}

/** Budgets of sending a code. @throws ApiError `method_not_enabled` */
export function getCodeExpenses(
  { network, environment }: Pick<Call, 'network' | 'environment'>,
  channel: Channel,
  { address, country }: Recipient,
): readonly Expense[] {
  const [site, to] = [getSite(network), getRecipient(channel, address)]
  return [
    { name: 'code per network', who: network },
    { name: 'code per address and network', who: `${to} ${network}` },
    { name: 'code per address, network and day', who: `${to} ${network}` },
    // The site of an IPv4 address is the address itself, and has larger budgets.
    ...(site === network
      ? []
      : ([
          { name: 'code per site', who: site },
          { name: 'code per address and site', who: `${to} ${site}` },
          { name: 'code per address, site and day', who: `${to} ${site}` },
        ] as const)),
    { name: 'code per address', who: to },
    { name: 'code per address and day', who: to },
    ...(country === undefined ? [] : smsExpenses(environment, country)),
  ]
}

/** Sends a code; the response is the same whether or not a user has the address. @throws ApiError */
export async function sendCode(
  call: Call,
  { channel, to, thumbprint, purpose, linksTo, proof }: CodeRequest,
): Promise<Sent> {
  const facts = CHANNELS[channel]
  const recipient = facts.read(to)
  const { address } = recipient
  const { hashes, limits } = call.services
  const spending = limits.getSpending(call, getCodeExpenses(call, channel, recipient), getRecipient(channel, address))
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const { id, expiresAt } = await storeCode(
    call,
    { proof, spending },
    {
      kind: facts.kind,
      thumbprint,
      lifetime: LIFETIME,
      data: {
        address,
        purpose,
        ...(purpose === SIGN_IN && { mark: spending.mark, network: limits.getNetworkId(call) }),
      },
      secretHash: id => hashes.keyed('code', id, code),
    },
  )
  const effect = await getEffect(call, facts.proved(address), linksTo)
  await facts.send(call, address, codeText({ effect, channel, name: call.environment.name, code }))
  return { verificationId: id, expiresAt }
}

interface CodeCheck extends Pick<CodeRequest, 'channel' | 'thumbprint' | 'purpose' | 'proof'> {
  /** Budgets of trying a code. */
  readonly expenses?: readonly Expense[]
}

interface EnteredCode {
  readonly verificationId: string
  readonly code: string
}

function describeTry(
  call: Call,
  { channel, thumbprint, purpose, proof, expenses = [] }: CodeCheck,
  { verificationId, code }: EnteredCode,
) {
  const { hashes, limits } = call.services
  const secretHash = hashes.keyed('code', verificationId, code.replace(/\s/g, ''))
  return [
    { proof, spending: limits.getSpending(call, expenses) },
    { id: verificationId, kind: CHANNELS[channel].kind, thumbprint, purpose, mostTries: TRIES, secretHash },
  ] as const
}

function getProved(channel: Channel, { address, isSpent }: Awaited<ReturnType<typeof tryCode>>): ProvedAddress {
  const { proved, wrong, tooMany } = CHANNELS[channel]
  if (isSpent) throw new ApiError(tooMany)
  if (address === undefined) throw new ApiError(wrong)
  return { proved: proved(address), recipient: getRecipient(channel, address) }
}

/**
 * Uses up a code. An unknown ID and a wrong code cost the same: one statement, one hash.
 * @throws ApiError `wrong_…_verification_token`, `too_many_…_verification_attempts`, `invalid_proof`,
 * `too_many_requests`
 */
export async function checkCode(call: Call, check: CodeCheck, entered: EnteredCode): Promise<ProvedAddress> {
  return getProved(check.channel, await tryCode(call, ...describeTry(call, check, entered)))
}

/**
 * Uses up a code, and signs in the user of its address, in the same statement.
 * @returns `known` null if no user has the address
 * @throws ApiError as `checkCode`; `unauthorized` as `startSession`
 */
export async function signInByCode(
  call: Call,
  { key, storage, ...check }: CodeCheck & { readonly key: ProvedKey; readonly storage: TokenStorage },
  entered: EnteredCode,
): Promise<ProvedAddress & { readonly known: KnownUser | null }> {
  const { channel } = check
  const { subject: _, ...method } = CHANNELS[channel].proved('')
  const start = startSession(call, { method: method.method, hasSecondFactor: false, key, storage })
  const { known, isRemembered, ...tried } = await tryToSignIn(call, ...describeTry(call, check, entered), {
    start,
    method,
  })
  const address = getProved(channel, tried)
  // The code was sent to another network.
  if (!isRemembered) await call.services.limits.remember(call, address.recipient)
  return { ...address, known: known ?? null }
}
