/**
 * The one schema, for PGlite and PostgreSQL alike. The README says how a change becomes a migration.
 * Times are ms since epoch by the service's clock, never the database's, so that tests can move them.
 */
import type { AuthenticationMethod, Chain, MfaMethod } from '@keybay/kernel/spec'
import type { SocialProfile } from '@keybay/social/server'
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm/sql'

function time(name: string) {
  return bigint(name, { mode: 'number' })
}

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    username: text('username'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull(),
    /** The user handle of WebAuthn: 32 random bytes that say nothing about the user, base64url. */
    passkeyHandle: text('passkey_handle').notNull(),
    createdAt: time('created_at').notNull(),
    lastSignInAt: time('last_sign_in_at').notNull(),
    /** When the sweep removes the user; null while no deletion is pending. */
    deletesAt: time('deletes_at'),
  },
  table => [
    uniqueIndex('users_username').on(table.environmentId, sql`lower(${table.username})`),
    index('users_deletion').on(table.deletesAt),
  ],
)

function userId() {
  return text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
}

/** What a user signs in with. */
export const credentials = pgTable(
  'credentials',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: userId(),
    method: text('method').$type<AuthenticationMethod>().notNull(),
    /** The social provider, or the chain of a wallet; else empty. */
    provider: text('provider').notNull(),
    /** Normalised address, phone number, wallet address, passkey id, or the other side's user id. */
    subject: text('subject').notNull(),
    /** What people know it by: a passkey's or wallet's name, a social user name. */
    name: text('name'),
    /** Of a social account: what the provider told at the last sign-in. */
    profile: jsonb('profile').$type<SocialProfile>(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
  },
  table => [
    uniqueIndex('credentials_subject').on(table.environmentId, table.method, table.provider, table.subject),
    index('credentials_user').on(table.userId),
    index('credentials_name').on(table.environmentId, table.method, table.name),
  ],
)

export const passkeys = pgTable('passkeys', {
  credentialId: text('credential_id')
    .primaryKey()
    .references(() => credentials.id, { onDelete: 'cascade' }),
  /** COSE, base64url */
  publicKey: text('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: jsonb('transports').$type<string[]>().notNull(),
})

/** Tokens of the providers' own APIs, for the host's server: encrypted with the service's key. */
export const socialTokens = pgTable('social_tokens', {
  credentialId: text('credential_id')
    .primaryKey()
    .references(() => credentials.id, { onDelete: 'cascade' }),
  sealed: text('sealed').notNull(),
  updatedAt: time('updated_at').notNull(),
})

/** A session is the family of its refresh tokens, of which only a counter is kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: userId(),
    /** RFC 7638 thumbprint of the session's public key. */
    thumbprint: text('thumbprint').notNull(),
    publicKey: jsonb('public_key').$type<{ kty: 'EC'; crv: 'P-256'; x: string; y: string }>().notNull(),
    method: text('method').$type<AuthenticationMethod>().notNull(),
    storage: text('storage').$type<'body' | 'cookie'>().notNull(),
    userAgent: text('user_agent'),
    refreshCounter: integer('refresh_counter').notNull(),
    rotatedAt: time('rotated_at'),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  table => [index('sessions_user').on(table.userId)],
)

/** Something begun that ends once: a nonce, a one-time code, a passkey challenge, a merge, a sign-in that waits for MFA. */
export const ceremonies = pgTable(
  'ceremonies',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    kind: text('kind').notNull(),
    /** Of the session key that began it; nobody else can end it. */
    thumbprint: text('thumbprint').notNull(),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    secretHash: text('secret_hash'),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    attempts: integer('attempts').notNull(),
    expiresAt: time('expires_at').notNull(),
    consumedAt: time('consumed_at'),
  },
  table => [index('ceremonies_expiry').on(table.expiresAt), index('ceremonies_secret').on(table.secretHash)],
)

/** Proofs of the session key that were seen (RFC 9449 §11.1). */
export const proofs = pgTable(
  'proofs',
  { id: text('id').primaryKey(), expiresAt: time('expires_at').notNull() },
  table => [index('proofs_expiry').on(table.expiresAt)],
)

export const mfaDevices = pgTable(
  'mfa_devices',
  {
    id: text('id').primaryKey(),
    userId: userId(),
    method: text('method').$type<MfaMethod>().notNull(),
    name: text('name').notNull(),
    /** Of totp: encrypted with the service's key. */
    secret: text('secret'),
    /** Of totp: the last time step that was accepted, so that a code serves once (RFC 6238 §5.2). */
    lastStep: bigint('last_step', { mode: 'number' }),
    createdAt: time('created_at').notNull(),
    confirmedAt: time('confirmed_at'),
  },
  table => [index('mfa_devices_user').on(table.userId)],
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  { hash: text('hash').primaryKey(), userId: userId(), usedAt: time('used_at') },
  table => [index('recovery_codes_user').on(table.userId)],
)

export const mfaTokens = pgTable('mfa_tokens', {
  hash: text('hash').primaryKey(),
  environmentId: text('environment_id').notNull(),
  userId: userId(),
  sessionId: text('session_id')
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  action: text('action').notNull(),
  requestHash: text('request_hash').notNull(),
  /** The page's passkey that proved it, where one did. */
  credentialId: text('credential_id').references(() => credentials.id, { onDelete: 'cascade' }),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
})

/**
 * Passkeys of a wallet frame's own host: second factors there, and nothing anywhere else. Each ends with what vouched for
 * it: a device, a passkey of the page, or the recovery codes, of which neither column tells.
 */
export const framePasskeys = pgTable(
  'frame_passkeys',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: userId(),
    /** The frame's host. */
    rpId: text('rp_id').notNull(),
    /** The authenticator's name for it, base64url. */
    passkeyId: text('passkey_id').notNull(),
    /** COSE, base64url */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    deviceId: text('device_id').references(() => mfaDevices.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').references(() => credentials.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  table => [
    uniqueIndex('frame_passkeys_id').on(table.environmentId, table.rpId, table.passkeyId),
    index('frame_passkeys_user').on(table.userId),
  ],
)

export { rateLimits } from '@keybay/sandbox-service/windows'

/** Of a host's server, for lookups. */
export const apiTokens = pgTable('api_tokens', {
  id: text('id').primaryKey(),
  environmentId: text('environment_id').notNull(),
  name: text('name').notNull(),
  hash: text('hash').notNull().unique(),
  createdAt: time('created_at').notNull(),
})

/** What the kit's log sink sent. */
export const clientLogs = pgTable(
  'client_logs',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    receivedAt: time('received_at').notNull(),
    entry: jsonb('entry').$type<Record<string, unknown>>().notNull(),
  },
  table => [index('client_logs_time').on(table.environmentId, table.receivedAt)],
)

/** Sealed backups of embedded wallets. What opens them never comes here. */
export const backups = pgTable(
  'backups',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: userId(),
    walletId: text('wallet_id').notNull(),
    epoch: integer('epoch').notNull(),
    /** base64url */
    envelope: text('envelope').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    /** base64url SHA-256: the same envelope is kept once. */
    digest: text('digest').notNull(),
    createdAt: time('created_at').notNull(),
    /** Which came later, where times are the same. */
    sequence: bigint('sequence', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  table => [uniqueIndex('backups_content').on(table.userId, table.walletId, table.digest)],
)

/** Embedded wallets, as R1's signed records name them. They belong to a user, and no user signs in with one. */
export const embeddedWallets = pgTable(
  'embedded_wallets',
  {
    /** Of the credential that the user sees. */
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: userId(),
    walletId: text('wallet_id').notNull(),
    /** The primary share set. */
    setId: text('set_id').notNull(),
    chain: text('chain').$type<Chain>().notNull(),
    address: text('address').notNull(),
    /** The user's own name for it. */
    name: text('name'),
    /** Rows of withdrawn creations stay, so that an old record cannot bring one back. */
    status: text('status').$type<'active' | 'withdrawn'>().notNull(),
    /** Epoch and time (seconds) of the newest record. */
    epoch: integer('epoch').notNull(),
    recordedAt: time('recorded_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    uniqueIndex('embedded_wallets_wallet').on(table.environmentId, table.walletId),
    uniqueIndex('embedded_wallets_address')
      .on(table.environmentId, table.address)
      .where(sql`${table.status} = 'active'`),
    index('embedded_wallets_user').on(table.userId),
  ],
)

/** The wallets that pay network fees. */
export const sponsors = pgTable('sponsors', {
  environmentId: text('environment_id').primaryKey(),
  address: text('address').notNull(),
  /** The private key, in an envelope. */
  sealed: text('sealed').notNull(),
  createdAt: time('created_at').notNull(),
})

/** What a sponsor has promised to pay on a day, in all or for one user. */
export const sponsorSpending = pgTable('sponsor_spending', {
  /** A keyed hash: it names nobody. */
  id: text('id').primaryKey(),
  /** Days since epoch, UTC. */
  day: integer('day').notNull(),
  lamports: bigint('lamports', { mode: 'number' }).notNull(),
})

/** What a sponsor has signed: the same transaction counts once, and one that never lands is given back. */
export const sponsoredTransactions = pgTable(
  'sponsored_transactions',
  {
    signature: text('signature').primaryKey(),
    createdAt: time('created_at').notNull(),
    /** Where it was counted, in `sponsor_spending`. */
    ofUser: text('of_user'),
    ofEnvironment: text('of_environment'),
    networkId: integer('network_id'),
    lamports: bigint('lamports', { mode: 'number' }),
    /** No later block can hold it; null once it has landed. */
    lastBlockHeight: bigint('last_block_height', { mode: 'number' }),
  },
  table => [
    index('sponsored_transactions_time').on(table.createdAt),
    index('sponsored_transactions_open').on(table.ofEnvironment, table.lastBlockHeight),
  ],
)

export { facts } from '@keybay/sandbox-service/keys'
