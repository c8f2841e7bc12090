/**
 * Schema for both PGlite and PostgreSQL. The README explains how to turn a change into a migration. Times are ms
 * since epoch by the service's clock. `sealed` columns hold envelope-encrypted bytes, base64url.
 */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { PublicJwk } from '../crypto/jwk.js'
import type { Policy } from '../policy/index.js'
import type { Counters } from './counters.js'

function time(name: string) {
  return bigint(name, { mode: 'number' })
}

export type WalletOrigin = 'seed' | 'dkg' | 'imported'
export type SetKind = 'primary' | 'device' | 'delegate'
export type SetStatus = 'active' | 'revoked'

export const wallets = pgTable(
  'wallets',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: text('user_id').notNull(),
    /** base58 */
    address: text('address').notNull(),
    chain: text('chain').notNull(),
    scheme: text('scheme').$type<ThresholdSignatureScheme>().notNull(),
    origin: text('origin').$type<WalletOrigin>().notNull(),
    exportable: boolean('exportable').notNull(),
    exported: boolean('exported').notNull(),
    /** Sealed to the group scalar, which no party holds, so this party cannot open it. */
    sealedSeed: text('sealed_seed'),
    createdAt: time('created_at').notNull(),
    /** Lamports and tokens that the user's own sets have spent; each delegate's set counts for itself. */
    spent: jsonb('spent').$type<Counters['spent']>().notNull().default({}),
    /** Incremented by every change of `spent`. */
    spentVersion: integer('spent_version').notNull().default(0),
  },
  table => [
    uniqueIndex('wallets_address').on(table.environmentId, table.address),
    index('wallets_user').on(table.environmentId, table.userId),
  ],
)

/** Share sets; a row holds everything that signing with the set needs. */
export const shareSets = pgTable(
  'share_sets',
  {
    id: text('id').primaryKey(),
    walletId: text('wallet_id')
      .notNull()
      .references(() => wallets.id),
    environmentId: text('environment_id').notNull(),
    userId: text('user_id').notNull(),
    address: text('address').notNull(),
    kind: text('kind').$type<SetKind>().notNull(),
    name: text('name').notNull(),
    status: text('status').$type<SetStatus>().notNull(),
    /** ShareSet of mpc, base64url. */
    publicSet: text('public_set').notNull(),
    epoch: integer('epoch').notNull(),
    /** Sealed; null once the set is revoked. */
    share: text('share'),
    /** Record of the set signed by R1, a JWS. */
    record: text('record').notNull(),
    deviceKey: jsonb('device_key').$type<PublicJwk>().notNull(),
    thumbprint: text('thumbprint').notNull(),
    /** Number of bad shares and proofs by the device key; `lockedAt` says since when the key is locked. */
    failures: integer('failures').notNull(),
    lockedAt: time('locked_at'),
    frozenAt: time('frozen_at'),
    /** Since when this relay is behind its peer in the wallet, or has another history of it. */
    quarantinedAt: time('quarantined_at'),
    /** Since when the share is known to be older than the epoch of the row. */
    lostAt: time('lost_at'),
    /** Since when the operator blocks the user: neither devices nor delegates use the set. */
    blockedAt: time('blocked_at'),
    /** Thumbprint of the device key that dealt the set: at R2, which may not have the primary set, its key alone loosens a policy. */
    owner: text('owner'),
    policy: jsonb('policy').$type<Policy>(),
    /** At R2, policies that only R1's records name: they hold too, until the user sets a policy. */
    unconfirmed: jsonb('unconfirmed').$type<readonly (Policy | null)[]>().notNull().default([]),
    counters: jsonb('counters').$type<Counters>().notNull(),
    /** Incremented by every change; a change names the version that it read. */
    version: integer('version').notNull(),
    auditSequence: integer('audit_sequence').notNull(),
    auditHead: text('audit_head').notNull(),
    createdAt: time('created_at').notNull(),
  },
  table => [
    index('share_sets_wallet').on(table.walletId),
    index('share_sets_user').on(table.environmentId, table.userId),
  ],
)

/**
 * Wallets that R1 reports to the product API and has not created yet. A row becomes a wallet or, once expired, is
 * withdrawn at the API; never both.
 */
export const pendingWallets = pgTable(
  'pending_wallets',
  {
    walletId: text('wallet_id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: text('user_id').notNull(),
    address: text('address').notNull(),
    setId: text('set_id').notNull(),
    /** Signed record that the wallet will have. */
    record: text('record').notNull(),
    /** Signed record of the withdrawal; null while the wallet may still be created. */
    withdrawal: text('withdrawal'),
    expiresAt: time('expires_at').notNull(),
  },
  table => [
    index('pending_wallets_expiry').on(table.expiresAt),
    index('pending_wallets_user').on(table.environmentId, table.userId),
  ],
)

/** Signed reports of exports that the product API has not taken yet. */
export const exportReports = pgTable('export_reports', {
  id: text('id').primaryKey(),
  environmentId: text('environment_id').notNull(),
  report: text('report').notNull(),
  createdAt: time('created_at').notNull(),
})

/** Erasures of users' shares: each waits for its date, and stays so that a repeat changes nothing. */
export const erasures = pgTable(
  'erasures',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: text('user_id').notNull(),
    /** Sequence of the audit log of each of the user's sets when the erasure was scheduled. */
    heads: jsonb('heads').$type<Readonly<Record<string, number>>>().notNull(),
    dueAt: time('due_at').notNull(),
    /** Since when shares are being erased; from then on the erasure is not given up. */
    startedAt: time('started_at'),
    doneAt: time('done_at'),
  },
  table => [index('erasures_due').on(table.environmentId, table.dueAt)],
)

/** Ceremonies: creations, and resharings with their pending epoch. */
export const ceremonies = pgTable(
  'ceremonies',
  {
    id: text('id').primaryKey(),
    environmentId: text('environment_id').notNull(),
    userId: text('user_id').notNull(),
    kind: text('kind').$type<'create' | 'reshare'>().notNull(),
    walletId: text('wallet_id').notNull(),
    setId: text('set_id').notNull(),
    /** Device key that signs the next step. */
    deviceKey: jsonb('device_key').$type<PublicJwk>().notNull(),
    step: text('step').notNull(),
    /** Hash of the body that led to this step; a repeat gets the stored, sealed response. */
    bodyHash: text('body_hash').notNull(),
    answer: text('answer').notNull(),
    facts: jsonb('facts').$type<Record<string, unknown>>().notNull(),
    /** Secrets, sealed; null when the ceremony is over. */
    state: text('state'),
    expiresAt: time('expires_at').notNull(),
  },
  table => [index('ceremonies_expiry').on(table.expiresAt), index('ceremonies_set').on(table.setId)],
)

/** Requests by new devices for shares dealt by an existing device. */
export const joins = pgTable(
  'joins',
  {
    id: text('id').primaryKey(),
    walletId: text('wallet_id').notNull(),
    setId: text('set_id').notNull(),
    kind: text('kind').$type<'device'>().notNull(),
    name: text('name').notNull(),
    deviceKey: jsonb('device_key').$type<PublicJwk>().notNull(),
    thumbprint: text('thumbprint').notNull(),
    sealingKey: text('sealing_key').notNull(),
    ceremonyId: text('ceremony_id'),
    /** Dealt data, sealed for the new device. */
    dealt: jsonb('dealt').$type<Record<string, unknown>>(),
    expiresAt: time('expires_at').notNull(),
  },
  table => [index('joins_wallet').on(table.walletId)],
)

/** Device signatures already used. */
export const nonces = pgTable(
  'nonces',
  { id: text('id').primaryKey(), expiresAt: time('expires_at').notNull() },
  table => [index('nonces_expiry').on(table.expiresAt)],
)

export { rateLimits } from '@keybay/sandbox-service/windows'

/**
 * Append-only audit log, enforced by a trigger, and partitioned by month: each hash covers the previous entry. One chain
 * per set, whose sequence the version of the set's row keeps unique.
 */
export const audit = pgTable(
  'audit',
  {
    setId: text('set_id').notNull(),
    sequence: integer('sequence').notNull(),
    /** Exact JSON that was hashed. */
    entry: text('entry').notNull(),
    hash: text('hash').notNull(),
    /** Time of the entry, by which the table is partitioned. */
    at: time('at').notNull(),
  },
  table => [primaryKey({ columns: [table.setId, table.sequence, table.at] })],
)

/**
 * Append-only log of the records that R1 has signed, enforced by a trigger: at R1 its own, at R2 those that R1 has sent.
 * `hash` covers the entry before, of any wallet; a record names the record before of its wallet.
 */
export const records = pgTable(
  'records',
  {
    sequence: integer('sequence').primaryKey(),
    environmentId: text('environment_id').notNull(),
    walletId: text('wallet_id').notNull(),
    generation: integer('generation').notNull(),
    record: text('record').notNull(),
    /** Canonical JSON of the set's policy, whose hash the record names. */
    policy: text('policy').notNull(),
    recordHash: text('record_hash').notNull(),
    hash: text('hash').notNull(),
  },
  table => [uniqueIndex('records_wallet').on(table.walletId, table.generation)],
)

export { facts } from '@keybay/sandbox-service/keys'
export { archives, auditCheckpoints } from '@keybay/sandbox-service/months'
