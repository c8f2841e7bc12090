/** Public settings of an environment, and its routes for a host's server: lookups, API tokens, logs. */
import { randomUUID } from 'node:crypto'
import {
  ENVIRONMENTS,
  MFA_ACTIONS,
  MFA_METHODS,
  THRESHOLD_SIGNATURE_SCHEMES,
  tooManyApiTokens,
  USER_LOOKUP_KEYS,
  type UserLookupKey,
} from '@keybay/kernel/spec'
import { and, desc, eq, getTableColumns, gt, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { normalizeEmail } from '../accounts/codes.js'
import { normalizePhone } from '../accounts/phone.js'
import { userSchema, viewUser } from '../accounts/user-view.js'
import { apiTokens, clientLogs, credentials, users } from '../db/schema.js'
import type { Environment } from '../environments.js'
import { ApiError, invalidRequest, notFound } from '../http/errors.js'
import { id, name, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { API_TOKEN_SCOPES } from '../security/api-token-scopes.js'
import { randomToken, sha256 } from '../security/hashes.js'

const route = routesOf('environment')
const operatorRoute = routesOf('operator')

const MAX_API_TOKENS = 10
const MAX_LOGS = 200
const DAY_MS = 86_400_000

const settings = route('GET /settings', {
  summary: 'What a kit needs to know before anybody signs in.',
  access: 'public',
  answer: v.object({
    environmentId: v.string(),
    name: v.string(),
    environment: v.picklist(ENVIRONMENTS),
    signIn: v.object({
      wallet: v.boolean(),
      walletTransaction: v.boolean(),
      email: v.boolean(),
      phone: v.boolean(),
      passkey: v.boolean(),
      external: v.boolean(),
      social: v.array(v.string()),
    }),
    required: v.object({ email: v.boolean(), phone: v.boolean() }),
    networks: v.array(v.record(v.string(), v.unknown())),
    transactions: v.object({ sponsored: v.boolean() }),
    mfa: v.object({
      methods: v.array(v.picklist(MFA_METHODS)),
      actions: v.array(v.picklist(MFA_ACTIONS)),
      atSignIn: v.boolean(),
    }),
    passkey: v.object({ rpId: v.string(), rpName: v.string() }),
    session: v.object({ accessTokenSeconds: v.number(), days: v.number() }),
    custody: v.object({ enabled: v.boolean(), emailRecovery: v.boolean() }),
    embeddedWallets: v.object({
      enabled: v.boolean(),
      thresholdSignatureScheme: v.picklist(THRESHOLD_SIGNATURE_SCHEMES),
      mostPerUser: v.number(),
    }),
  }),
  run: async ({ environment, services }) => ({
    environmentId: environment.id,
    name: environment.name,
    environment: environment.kind,
    signIn: {
      ...environment.signIn,
      external: environment.signIn.external && environment.externalJwt !== undefined,
      social: environment.signIn.social.filter(provider => services.social.get(provider) !== undefined),
    },
    required: environment.required,
    // Omit the customer's own nodes, whose addresses may contain keys.
    networks: environment.networks.map(({ privateCustomerRpcUrls: _, ...network }) => network),
    transactions: { sponsored: environment.transactions.sponsorship !== undefined },
    mfa: environment.mfa,
    passkey: { rpId: environment.relyingParty.id, rpName: environment.relyingParty.name },
    session: environment.session,
    custody: environment.custody,
    embeddedWallets: publicEmbeddedWallets(environment),
  }),
})

/** Omits R1's record keys: pages take them from the wallet frame's host, never from here. */
function publicEmbeddedWallets({ embeddedWallets }: Environment) {
  const { recordKeys: _, ...settings } = embeddedWallets
  return settings
}

const jwks = route('GET /.well-known/jwks.json', {
  summary: 'The public keys that verify access tokens (RFC 7517).',
  access: 'public',
  answer: v.object({ keys: v.array(v.record(v.string(), v.unknown())) }),
  run: async ({ services, environment }) => ({
    keys: services.keys.forEnvironment(environment.id).jwks.keys.map(key => ({ ...key })),
  }),
})

function normalized(value: string, normalize: (value: string) => string): string {
  try {
    return normalize(value)
  } catch {
    // No user can have an invalid address.
    return ''
  }
}

const lookups: { readonly [K in UserLookupKey]: (value: string) => SQL | undefined } = {
  id: value => eq(users.id, value),
  email: value => and(eq(credentials.method, 'email'), eq(credentials.subject, normalized(value, normalizeEmail))),
  phoneNumber: value =>
    and(eq(credentials.method, 'phoneNumber'), eq(credentials.subject, normalized(value, normalizePhone))),
  externalUserId: value => and(eq(credentials.method, 'externalUser'), eq(credentials.subject, value)),
  socialUsername: value => and(eq(credentials.method, 'oauth'), eq(credentials.name, value)),
  socialAccountId: value => and(eq(credentials.method, 'oauth'), eq(credentials.subject, value)),
}

const lookup = route('GET /users/lookup', {
  summary: 'Finds users by one of six keys. For the host’s server only: it tells who exists.',
  access: 'api-token',
  scope: 'users',
  query: v.strictObject({
    key: v.picklist(USER_LOOKUP_KEYS),
    value: v.pipe(v.string(), v.minLength(1), v.maxLength(320)),
    provider: v.optional(v.pipe(v.string(), v.maxLength(64))),
  }),
  answer: v.object({ users: v.array(userSchema) }),
  async run({ services, environment, query }) {
    const matches = await services.db
      .selectDistinct({ id: users.id })
      .from(users)
      .innerJoin(credentials, eq(credentials.userId, users.id))
      .where(
        and(
          eq(users.environmentId, environment.id),
          lookups[query.key](query.value),
          query.provider === undefined ? undefined : eq(credentials.provider, query.provider),
        ),
      )
      .limit(22)
    return { users: await Promise.all(matches.map(user => viewUser(services, environment, user.id))) }
  },
})

const scopes = v.pipe(v.array(v.picklist(API_TOKEN_SCOPES)), v.minLength(1))
const tokenSchema = v.object({
  id: v.string(),
  name: v.string(),
  scopes,
  createdAt: time,
  expiresAt: time,
  lastUsedAt: v.pipe(v.nullable(time), v.description('to the minute; null: never used')),
})

const makeToken = operatorRoute('POST /api-tokens', {
  summary: 'Makes a token for a host’s server; it is shown this once.',
  access: 'operator',
  body: v.strictObject({
    name,
    scopes: v.pipe(v.optional(scopes), v.description('required in a live environment; elsewhere all by default')),
    days: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_660), v.description('until it ends')),
      365,
    ),
  }),
  status: 201,
  answer: v.object({ ...tokenSchema.entries, token: v.string() }),
  errors: [tooManyApiTokens],
  async run({ services, environment, body }) {
    if (environment.kind === 'live' && !body.scopes)
      throw new ApiError(invalidRequest, { reason: 'A token of a live environment needs scopes.' })
    const now = services.clock.now()
    const environmentFilter = and(eq(apiTokens.environmentId, environment.id), gt(apiTokens.expiresAt, now))
    if ((await services.db.$count(apiTokens, environmentFilter)) >= MAX_API_TOKENS) throw new ApiError(tooManyApiTokens)
    const token = `kb_${randomToken()}`
    const { name, days, scopes = [...API_TOKEN_SCOPES] } = body
    const row = { id: randomUUID(), name, scopes, createdAt: now, expiresAt: now + days * DAY_MS, lastUsedAt: null }
    await services.db.insert(apiTokens).values({ ...row, environmentId: environment.id, hash: sha256(token) })
    return { ...row, token }
  },
})

const listTokens = operatorRoute('GET /api-tokens', {
  summary: 'The tokens, without their secrets.',
  access: 'operator',
  answer: v.object({ tokens: v.array(tokenSchema) }),
  async run({ services, environment }) {
    const { hash: _, environmentId, ...columns } = getTableColumns(apiTokens)
    const isHere = eq(environmentId, environment.id)
    return { tokens: await services.db.select(columns).from(apiTokens).where(isHere).orderBy(columns.createdAt) }
  },
})

const removeToken = operatorRoute('DELETE /api-tokens/{id}', {
  summary: 'Ends a token.',
  access: 'operator',
  params: v.object({ id }),
  errors: [notFound],
  async run({ services, environment, params }) {
    const [gone] = await services.db
      .delete(apiTokens)
      .where(and(eq(apiTokens.id, params.id), eq(apiTokens.environmentId, environment.id)))
      .returning()
    if (!gone) throw new ApiError(notFound)
  },
})

const logs = route('GET /logs', {
  summary: 'What kits reported as errors, the newest first.',
  access: 'api-token',
  scope: 'logs',
  answer: v.object({ logs: v.array(v.object({ receivedAt: time, entry: v.record(v.string(), v.unknown()) })) }),
  run: async ({ services, environment }) => ({
    logs: await services.db
      .select({ receivedAt: clientLogs.receivedAt, entry: clientLogs.entry })
      .from(clientLogs)
      .where(eq(clientLogs.environmentId, environment.id))
      .orderBy(desc(clientLogs.receivedAt))
      .limit(MAX_LOGS),
  }),
})

export const environmentRoutes: readonly Route[] = [settings, jwks, lookup, makeToken, listTokens, removeToken, logs]
