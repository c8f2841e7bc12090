/**
 * Schema for both PGlite and PostgreSQL. The README explains how to turn a change into a migration. Times are ms
 * since epoch by the service's clock. `sealed` columns hold envelope-encrypted bytes, base64url.
 */
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { ActivityStatus, Credential, Json } from '../protocol.js'

function time(name: string) {
  return bigint(name, { mode: 'number' })
}

function organization() {
  return text('organization_id').notNull()
}

export const organizations = pgTable(
  'organizations',
  {
    id: text('id').primaryKey(),
    /** Null for the operator's own organization. */
    parentId: text('parent_id'),
    name: text('name').notNull(),
    rootUserIds: jsonb('root_user_ids').$type<readonly string[]>().notNull(),
    rootThreshold: integer('root_threshold').notNull(),
    emailRecovery: boolean('email_recovery').notNull(),
    /** Number of entries in the audit chain. */
    auditSequence: integer('audit_sequence').notNull(),
    auditHash: text('audit_hash').notNull(),
    createdAt: time('created_at').notNull(),
    /** Since when the operator blocks the organization's credentials. */
    blockedAt: time('blocked_at'),
    /** When an erasure was requested, and when it is due; null again once it is done or given up. */
    erasureAskedAt: time('erasure_asked_at'),
    erasesAt: time('erases_at'),
    erasedAt: time('erased_at'),
  },
  table => [
    index('organizations_erasure').on(table.erasesAt),
    index('organizations_erased').on(table.erasedAt),
    index('organizations_parent').on(table.parentId),
  ],
)

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    name: text('name').notNull(),
    email: text('email'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  table => [index('users_organization').on(table.organizationId)],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    /** 33 bytes, lower-case hex */
    publicKey: text('public_key').notNull(),
    type: text('type').$type<Credential>().notNull(),
    expirationSeconds: integer('expiration_seconds'),
    expiresAt: time('expires_at'),
    /** Set once a recovery key has been used; it works once. */
    usedAt: time('used_at'),
    createdAt: time('created_at').notNull(),
  },
  table => [
    uniqueIndex('api_keys_key').on(table.organizationId, table.publicKey),
    index('api_keys_public').on(table.publicKey),
    index('api_keys_user').on(table.userId),
  ],
)

export const authenticators = pgTable(
  'authenticators',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull(),
    /** COSE, base64url */
    publicKey: text('public_key').notNull(),
    rpId: text('rp_id').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<readonly string[]>().notNull(),
    attestationType: text('attestation_type').notNull(),
    aaguid: text('aaguid').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    uniqueIndex('authenticators_credential').on(table.organizationId, table.credentialId),
    index('authenticators_id').on(table.credentialId),
    index('authenticators_user').on(table.userId),
  ],
)

export const wallets = pgTable(
  'wallets',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    name: text('name').notNull(),
    sealedMnemonic: text('sealed_mnemonic').notNull(),
    exported: boolean('exported').notNull(),
    imported: boolean('imported').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [uniqueIndex('wallets_name').on(table.organizationId, table.name)],
)

export const walletAccounts = pgTable(
  'wallet_accounts',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    walletId: text('wallet_id')
      .notNull()
      .references(() => wallets.id),
    curve: text('curve').notNull(),
    path: text('path').notNull(),
    addressFormat: text('address_format').notNull(),
    address: text('address').notNull(),
    publicKey: text('public_key').notNull(),
    sealedKey: text('sealed_key').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    uniqueIndex('wallet_accounts_path').on(table.walletId, table.path, table.addressFormat),
    index('wallet_accounts_address').on(table.organizationId, table.address),
  ],
)

export const privateKeys = pgTable(
  'private_keys',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    name: text('name').notNull(),
    curve: text('curve').notNull(),
    addresses: jsonb('addresses').$type<readonly { format: string; address: string }[]>().notNull(),
    publicKey: text('public_key').notNull(),
    sealedKey: text('sealed_key').notNull(),
    exported: boolean('exported').notNull(),
    imported: boolean('imported').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [uniqueIndex('private_keys_name').on(table.organizationId, table.name)],
)

/** Keys that an import is sealed to. A user has one, which works once. */
export const importKeys = pgTable(
  'import_keys',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    userId: text('user_id').notNull(),
    sealedKey: text('sealed_key').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    uniqueIndex('import_keys_user').on(table.organizationId, table.userId),
    index('import_keys_time').on(table.createdAt),
  ],
)

export const policies = pgTable(
  'policies',
  {
    id: text('id').primaryKey(),
    organizationId: organization(),
    name: text('name').notNull(),
    effect: text('effect').$type<'EFFECT_ALLOW' | 'EFFECT_DENY'>().notNull(),
    condition: text('condition').notNull(),
    consensus: text('consensus').notNull(),
    notes: text('notes').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [uniqueIndex('policies_name').on(table.organizationId, table.name)],
)

/** Partitioned by month. No two activities have the same ID. */
export const activities = pgTable(
  'activities',
  {
    id: text('id').notNull(),
    organizationId: organization(),
    /** `sha256:` and the hash of the request's exact bytes: an identical request is the same activity. */
    fingerprint: text('fingerprint').notNull(),
    type: text('type').notNull(),
    status: text('status').$type<ActivityStatus>().notNull(),
    parameters: jsonb('parameters').$type<Json>().notNull(),
    result: jsonb('result').$type<Json>(),
    failure: jsonb('failure').$type<{ code: number; message: string }>(),
    userId: text('user_id').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.id, table.createdAt] }),
    index('activities_status').on(table.status),
    index('activities_created').on(table.organizationId, table.createdAt),
  ],
)

/** Fingerprints of all activities, also of archived ones: a request never becomes a second activity. */
export const fingerprints = pgTable(
  'fingerprints',
  {
    organizationId: organization(),
    fingerprint: text('fingerprint').notNull(),
    activityId: text('activity_id').notNull(),
    /** Time of the activity. */
    createdAt: time('created_at').notNull(),
  },
  table => [primaryKey({ columns: [table.organizationId, table.fingerprint] })],
)

export const votes = pgTable(
  'votes',
  {
    id: text('id').primaryKey(),
    activityId: text('activity_id').notNull(),
    userId: text('user_id').notNull(),
    selection: text('selection').$type<'VOTE_SELECTION_APPROVED' | 'VOTE_SELECTION_REJECTED'>().notNull(),
    credential: text('credential').$type<Credential>().notNull().default('CREDENTIAL_TYPE_API_KEY_P256'),
    /** Empty for votes stored by older versions. */
    credentialId: text('credential_id').notNull().default(''),
    /** True when the authenticator verified its user for this vote. */
    isVerified: boolean('is_verified').notNull().default(false),
    publicKey: text('public_key').notNull(),
    signature: text('signature').notNull(),
    scheme: text('scheme').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [uniqueIndex('votes_user').on(table.activityId, table.userId)],
)

/** Audit log, partitioned by month: one hash chain per organization; a trigger rejects changes. */
export const audit = pgTable(
  'audit',
  {
    organizationId: organization(),
    sequence: integer('sequence').notNull(),
    entry: text('entry').notNull(),
    hash: text('hash').notNull(),
    at: time('at').notNull(),
  },
  table => [primaryKey({ columns: [table.organizationId, table.sequence, table.at] })],
)

export { facts } from '@keybay/sandbox-service/keys'
export { archives, auditCheckpoints } from '@keybay/sandbox-service/months'
export { rateLimits } from '@keybay/sandbox-service/windows'
