/** Builds the API's view of a user. */
import {
  AUTHENTICATION_METHODS,
  CHAINS,
  type Chain,
  MFA_METHODS,
  type VerificationStep,
  WAAS_WALLET_NAME,
} from '@keybay/kernel/spec'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { credentials, mfaDevices } from '../db/schema.js'
import type { Environment } from '../environments.js'
import { ApiError, sessionExpired } from '../http/errors.js'
import { time } from '../http/fields.js'
import type { Services } from '../services.js'
import type { CredentialRow } from './credentials.js'
import { selectUser, socialProfileSchema, type UserRow, userRowSchema } from './user-row.js'

export const credentialSchema = v.object({
  id: v.string(),
  method: v.picklist(AUTHENTICATION_METHODS),
  email: v.optional(v.string()),
  phoneNumber: v.optional(v.string()),
  address: v.optional(v.string()),
  chain: v.optional(v.picklist(CHAINS)),
  walletName: v.optional(v.string()),
  externalUserId: v.optional(v.string()),
  provider: v.optional(v.string()),
  accountId: v.optional(v.string()),
  profile: v.optional(socialProfileSchema),
  passkeyId: v.optional(v.string()),
  name: v.optional(v.string()),
  createdAt: time,
  lastUsedAt: time,
})
export type CredentialView = v.InferOutput<typeof credentialSchema>

export const mfaDeviceSchema = v.object({
  id: v.string(),
  method: v.picklist(MFA_METHODS),
  name: v.string(),
  createdAt: time,
})

export const userSchema = v.object({
  id: v.string(),
  username: v.nullable(v.string()),
  email: v.nullable(v.string()),
  phoneNumber: v.nullable(v.string()),
  metadata: v.record(v.string(), v.unknown()),
  createdAt: time,
  lastSignInAt: time,
  step: v.pipe(v.picklist(['done', 'verify-email', 'verify-sms']), v.description('What is still to be verified')),
  deletesAt: v.pipe(
    v.nullable(time),
    v.description('When the user is removed for good; null unless the user asked for it'),
  ),
  credentials: v.pipe(
    v.array(credentialSchema),
    v.description('Ways to sign in, and embedded wallets, whose `walletName` is `dynamicWaas`'),
  ),
  mfa: v.object({
    devices: v.array(mfaDeviceSchema),
    recoveryCodes: v.pipe(v.number(), v.description('How many are left')),
  }),
})
export type UserView = v.InferOutput<typeof userSchema>

type ShownCredential = UserRow['credentials'][number]

function chainOf(provider: string): Chain | undefined {
  return CHAINS.find(chain => chain === provider)
}

function specific({ method, provider, subject, name, profile }: ShownCredential): Partial<CredentialView> {
  switch (method) {
    case 'email':
      return { email: subject }
    case 'phoneNumber':
      return { phoneNumber: subject }
    case 'externalUser':
      return { externalUserId: subject }
    case 'passkey':
      return { passkeyId: subject, ...(name !== null && { name }) }
    case 'oauth':
      return { provider, accountId: subject, ...(name !== null && { name }), ...(profile && { profile }) }
    case 'blockchain': {
      const chain = chainOf(provider)
      return { address: subject, ...(chain && { chain }), ...(name !== null && { walletName: name }) }
    }
  }
}

export function credentialView(row: ShownCredential): CredentialView {
  return { id: row.id, method: row.method, createdAt: row.createdAt, lastUsedAt: row.lastUsedAt, ...specific(row) }
}

export function embeddedWalletView({
  id,
  address,
  chain,
  name,
  createdAt,
}: UserRow['embeddedWallets'][number]): CredentialView {
  return {
    id,
    method: 'blockchain',
    address,
    chain,
    walletName: WAAS_WALLET_NAME,
    ...(name !== null && { name }),
    createdAt,
    lastUsedAt: createdAt,
  }
}

export function getDevices({ db }: Pick<Services, 'db'>, userId: string) {
  return db
    .select()
    .from(mfaDevices)
    .where(and(eq(mfaDevices.userId, userId), isNotNull(mfaDevices.confirmedAt)))
    .orderBy(asc(mfaDevices.createdAt))
}

export function deviceView({ id, method, name, createdAt }: UserRow['mfaDevices'][number]) {
  return { id, method, name, createdAt }
}

const SELECT_USER = `select ${selectUser()} as "user" from users as shown where id = $1`
const userRows = v.array(v.object({ user: userRowSchema }))

/** @throws ApiError `session_expired` when the user no longer exists */
export async function viewUser({ query }: Services, environment: Environment, userId: string): Promise<UserView> {
  const [row] = v.parse(userRows, await query(SELECT_USER, [userId]))
  if (!row) throw new ApiError(sessionExpired)
  return userView(environment, row.user)
}

export function userView(environment: Environment, user: UserRow): UserView {
  const { credentials: rows, embeddedWallets: wallets, mfaDevices: devices } = user
  const first = (method: string) => rows.find(row => row.method === method)?.subject ?? null
  return {
    id: user.id,
    username: user.username,
    email: first('email'),
    phoneNumber: first('phoneNumber'),
    metadata: user.metadata,
    createdAt: user.createdAt,
    lastSignInAt: user.lastSignInAt,
    step: findMissingStep(environment, rows),
    deletesAt: user.deletesAt,
    credentials: [...rows.map(credentialView), ...wallets.map(embeddedWalletView)],
    mfa: { devices: devices.map(deviceView), recoveryCodes: user.recoveryCodes },
  }
}

type MissingStep = Exclude<VerificationStep, 'verified-and-transferred'>

/** Returns the step that the environment requires before the session may do anything else. */
export async function missingStep(db: Database, environment: Environment, userId: string): Promise<MissingStep> {
  const { required } = environment
  if (!required.email && !required.phone) return 'done'
  const rows = await db
    .select({ method: credentials.method })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), inArray(credentials.method, ['email', 'phoneNumber'])))
  return findMissingStep(environment, rows)
}

function findMissingStep({ required }: Environment, rows: readonly Pick<CredentialRow, 'method'>[]): MissingStep {
  const has = (method: CredentialRow['method']) => rows.some(row => row.method === method)
  if (required.email && !has('email')) return 'verify-email'
  return required.phone && !has('phoneNumber') ? 'verify-sms' : 'done'
}
