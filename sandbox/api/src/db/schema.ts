/** Database schema (README). Times are ms since epoch by the service's clock, so that tests can move them. */
import type { AuthenticationMethod, Chain, MfaMethod, SecurityEventKind } from '@keybay/kernel/spec'
import type { SocialProfile } from '@keybay/social/server'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm/sql'
import type { InstructionKind } from '../remote/operator-messages.js'
import type { ApiTokenScope } from '../security/api-token-scopes.js'

function amount(name: string) {
  return bigint(name, { mode: 'number' })
}
const time = amount

function scoped() {
  return { id: text('id').primaryKey(), environmentId: text('environment_id').notNull() }
}

export const users = pgTable(
  'users',
  {
    ...scoped(),
    username: text('username'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull(),
    /** WebAuthn user handle: 32 random bytes, base64url, that reveal nothing about the user. */
    passkeyHandle: text('passkey_handle').notNull(),
    createdAt: time('created_at').notNull(),
    lastSignInAt: time('last_sign_in_at').notNull(),
    /** Time when the sweep removes the user; null while no deletion is pending. */
    deletesAt: time('deletes_at'),
    /** Since when the operator blocks the user; null for all others. */
    blockedAt: time('blocked_at'),
    /** Wrong recovery codes in a row; a right one and new codes reset it. */
    recoveryFailures: integer('recovery_failures').default(0).notNull(),
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

export const credentials = pgTable(
  'credentials',
  {
    ...scoped(),
    userId: userId(),
    method: text('method').$type<AuthenticationMethod>().notNull(),
    /** Social provider, or the chain of a wallet; otherwise empty. */
    provider: text('provider').notNull(),
    /** Normalised address, phone number, wallet address, passkey id, or the other side's user id. */
    subject: text('subject').notNull(),
    /** Display name: a passkey's or wallet's name, or a social user name. */
    name: text('name'),
    /** Profile of a social account, as the provider sent it at the last sign-in. */
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
  counter: amount('counter').notNull(),
  transports: jsonb('transports').$type<string[]>().notNull(),
})

/** Tokens for the providers' own APIs, for the host's server; encrypted with the service's key. */
export const socialTokens = pgTable('social_tokens', {
  credentialId: text('credential_id')
    .primaryKey()
    .references(() => credentials.id, { onDelete: 'cascade' }),
  sealed: text('sealed').notNull(),
  updatedAt: time('updated_at').notNull(),
})

/** Sessions. Each is a family of refresh tokens, of which only a counter is stored. */
export const sessions = pgTable(
  'sessions',
  {
    ...scoped(),
    userId: userId(),
    thumbprint: text('thumbprint').notNull(),
    publicKey: jsonb('public_key').$type<{ kty: 'EC'; crv: 'P-256'; x: string; y: string }>().notNull(),
    /** Credential of the latest sign-in: the session ends with it. Null once this very session has unlinked it. */
    credentialId: text('credential_id').references(() => credentials.id, { onDelete: 'cascade' }),
    method: text('method').$type<AuthenticationMethod>().notNull(),
    /** True if the latest sign-in proved a second factor too. */
    hasSecondFactor: boolean('has_second_factor').notNull(),
    /** Time of the latest sign-in, which a renewal does not change. */
    authTime: time('auth_time').notNull(),
    storage: text('storage').$type<'body' | 'cookie'>().notNull(),
    userAgent: text('user_agent'),
    refreshCounter: integer('refresh_counter').notNull(),
    rotatedAt: time('rotated_at'),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  table => [
    index('sessions_user').on(table.userId),
    index('sessions_credential').on(table.credentialId),
    index('sessions_expiry').on(table.expiresAt),
    index('sessions_revoked').on(table.revokedAt).where(sql`${table.revokedAt} is not null`),
  ],
)

/** State that is begun and then ended once: a nonce, a code, a passkey challenge, a merge, a pending sign-in. */
export const ceremonies = pgTable(
  'ceremonies',
  {
    ...scoped(),
    kind: text('kind').notNull(),
    /** Thumbprint of the session key that began the ceremony; no other key can end it. */
    thumbprint: text('thumbprint').notNull(),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    secretHash: text('secret_hash'),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    attempts: integer('attempts').notNull(),
    expiresAt: time('expires_at').notNull(),
    consumedAt: time('consumed_at'),
  },
  table => [
    index('ceremonies_expiry').on(table.expiresAt),
    // Partial, so that a code, which most ceremonies are, has no part in them.
    index('ceremonies_secret').on(table.secretHash).where(sql`${table.kind} = 'social'`),
    index('ceremonies_user').on(table.userId).where(sql`${table.userId} is not null`),
  ],
)

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
    /** Credential whose mailbox receives the codes of an email factor. */
    credentialId: text('credential_id').references(() => credentials.id, { onDelete: 'cascade' }),
    /** Wrong codes since the last right one. */
    failures: integer('failures').notNull(),
    /** TOTP secret, encrypted with the service's key. */
    sealed: text('sealed'),
    /** Last TOTP time step accepted, so that a code works only once (RFC 6238 §5.2). */
    lastStep: amount('last_step'),
    createdAt: time('created_at').notNull(),
    confirmedAt: time('confirmed_at'),
  },
  table => [index('mfa_devices_user').on(table.userId), index('mfa_devices_credential').on(table.credentialId)],
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  { hash: text('hash').primaryKey(), userId: userId(), usedAt: time('used_at') },
  table => [index('recovery_codes_user').on(table.userId)],
)

export const mfaTokens = pgTable(
  'mfa_tokens',
  {
    hash: text('hash').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: userId(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    action: text('action').notNull(),
    requestHash: text('request_hash').notNull(),
    /** Page's passkey that proved the second factor; null for other factors. */
    credentialId: text('credential_id').references(() => credentials.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  table => [
    index('mfa_tokens_user').on(table.userId),
    index('mfa_tokens_session').on(table.sessionId),
    index('mfa_tokens_credential').on(table.credentialId),
    index('mfa_tokens_expiry').on(table.expiresAt),
  ],
)

/**
 * Passkeys of a wallet frame's own host: second factors in that frame, and nothing anywhere else. Each ends with what
 * vouched for it: a device, a passkey of the page, or, if both columns are null, the recovery codes.
 */
export const framePasskeys = pgTable(
  'frame_passkeys',
  {
    ...scoped(),
    userId: userId(),
    rpId: text('rp_id').notNull(),
    passkeyId: text('passkey_id').notNull(),
    /** COSE, base64url */
    publicKey: text('public_key').notNull(),
    counter: amount('counter').notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    deviceId: text('device_id').references(() => mfaDevices.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').references(() => credentials.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  table => [
    uniqueIndex('frame_passkeys_id').on(table.environmentId, table.rpId, table.passkeyId),
    index('frame_passkeys_user').on(table.userId),
    index('frame_passkeys_device').on(table.deviceId),
    index('frame_passkeys_credential').on(table.credentialId),
  ],
)

/** Keys of wallet frames that a recent sign-in or a second factor of the user vouched for. */
export const frameKeys = pgTable(
  'frame_keys',
  {
    ...scoped(),
    userId: userId(),
    thumbprint: text('thumbprint').notNull(),
    createdAt: time('created_at').notNull(),
    /** Time of the latest second factor that the user entered in the frame; null if none was. */
    factorAt: time('factor_at'),
    /** Statement of the newest operation that began with a recent sign-in or factor; null if none did. */
    statementId: text('statement_id'),
  },
  table => [uniqueIndex('frame_keys_user').on(table.userId, table.thumbprint)],
)

export { rateLimits } from '@keybay/sandbox-service/windows'

/** Security log of users. A trigger refuses every change, and a removal while the user exists. */
export const securityEvents = pgTable(
  'security_events',
  {
    ...scoped(),
    userId: userId(),
    kind: text('kind').$type<SecurityEventKind>().notNull(),
    at: time('at').notNull(),
    /** Browser and system, e.g. `Firefox on Linux`; null for an event that no request of the user caused. */
    device: text('device'),
    /** IPv4 /24 or IPv6 /48; null as above. */
    network: text('network'),
    /** Sign-in method, factor or wallet address that the event is about. */
    detail: text('detail'),
    /** Order of rows that have the same time. */
    sequence: amount('sequence').notNull().generatedAlwaysAsIdentity(),
  },
  table => [
    index('security_events_user').on(table.userId, table.at, table.sequence),
    index('security_events_kind').on(table.environmentId, table.kind, table.at),
    uniqueIndex('security_events_device')
      .on(table.userId, table.device, table.network)
      .where(sql`${table.kind} = 'new-device'`),
  ],
)

/** Security notices that wait for the mail server. Not tied to a user, because a merge removes one. */
export const notices = pgTable(
  'notices',
  {
    ...scoped(),
    address: text('address').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    attempts: integer('attempts').notNull(),
    dueAt: time('due_at').notNull(),
  },
  table => [index('notices_due').on(table.dueAt)],
)

/** Instructions about a user for the relays and custody, until each took its own. They outlive the user. */
export const instructions = pgTable(
  'instructions',
  {
    ...scoped(),
    userId: text('user_id').notNull(),
    /** URL of a relay, or `custody`. */
    target: text('target').notNull(),
    kind: text('kind').$type<InstructionKind>().notNull(),
    /** Sub-organization of the user; null if there is none. */
    organizationId: text('organization_id'),
    /** Changes with every newer instruction. */
    revision: text('revision').notNull(),
    dueAt: time('due_at').notNull(),
  },
  table => [index('instructions_due').on(table.dueAt), index('instructions_user').on(table.userId)],
)

export const apiTokens = pgTable(
  'api_tokens',
  {
    ...scoped(),
    name: text('name').notNull(),
    hash: text('hash').notNull().unique(),
    scopes: jsonb('scopes').$type<ApiTokenScope[]>().notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** To the minute. */
    lastUsedAt: time('last_used_at'),
  },
  table => [
    index('api_tokens_environment').on(table.environmentId, table.expiresAt),
    index('api_tokens_expiry').on(table.expiresAt),
  ],
)

export const clientLogs = pgTable(
  'client_logs',
  {
    ...scoped(),
    receivedAt: time('received_at').notNull(),
    entry: jsonb('entry').$type<Record<string, unknown>>().notNull(),
  },
  table => [index('client_logs_time').on(table.environmentId, table.receivedAt)],
)

/** Sealed backups of embedded wallets. The secrets that open them never reach this service. */
export const backups = pgTable(
  'backups',
  {
    ...scoped(),
    userId: userId(),
    walletId: text('wallet_id').notNull(),
    epoch: integer('epoch').notNull(),
    envelope: text('envelope').notNull(),
    /** In bytes. */
    size: integer('size').notNull(),
    /** SHA-256, base64url; ensures that an envelope is stored once. */
    digest: text('digest').notNull(),
    createdAt: time('created_at').notNull(),
    /** Thumbprint of the frame's key that uploaded the envelope. */
    frameKey: text('frame_key').notNull(),
    /** Time when the envelope was erased; the sweep removes it later. Null if it was not. */
    erasedAt: time('erased_at'),
    /** Order of rows that have the same time. */
    sequence: amount('sequence').notNull().generatedAlwaysAsIdentity(),
  },
  table => [
    uniqueIndex('backups_content').on(table.userId, table.walletId, table.digest),
    index('backups_erased').on(table.erasedAt),
  ],
)

/** Embedded wallets, as R1's signed records name them. They belong to a user, but cannot be used to sign in. */
export const embeddedWallets = pgTable(
  'embedded_wallets',
  {
    /** `id` is that of the credential that the user sees. */
    ...scoped(),
    userId: userId(),
    walletId: text('wallet_id').notNull(),
    setId: text('set_id').notNull(),
    chain: text('chain').$type<Chain>().notNull(),
    address: text('address').notNull(),
    name: text('name'),
    /** Rows of withdrawn wallets stay, so that an old record cannot restore one. */
    status: text('status').$type<'active' | 'withdrawn'>().notNull(),
    /** Epoch and time (in seconds) of the newest record. */
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

export const sponsors = pgTable('sponsors', {
  environmentId: text('environment_id').primaryKey(),
  address: text('address').notNull(),
  sealed: text('sealed').notNull(),
  createdAt: time('created_at').notNull(),
})

/** Amounts that a sponsor has promised to pay on a UTC day, in total or for one user, under a keyed hash. */
export const sponsorSpending = pgTable(
  'sponsor_spending',
  { id: text('id').primaryKey(), day: integer('day').notNull(), lamports: amount('lamports').notNull() },
  table => [index('sponsor_spending_day').on(table.day)],
)

/** Transactions signed by a sponsor. A repeated transaction counts once; one that never lands is given back. */
export const sponsoredTransactions = pgTable(
  'sponsored_transactions',
  {
    signature: text('signature').primaryKey(),
    createdAt: time('created_at').notNull(),
    ofUser: text('of_user'),
    ofEnvironment: text('of_environment'),
    networkId: integer('network_id'),
    lamports: amount('lamports'),
    /** Last block height that can hold the transaction; null once it has landed. */
    lastBlockHeight: amount('last_block_height'),
  },
  table => [
    index('sponsored_transactions_time').on(table.createdAt),
    index('sponsored_transactions_open').on(table.ofEnvironment, table.lastBlockHeight),
  ],
)

export { facts } from '@keybay/sandbox-service/keys'
