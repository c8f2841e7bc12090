/**
 * Schema for PGlite and PostgreSQL alike. The README explains how a change becomes a migration. Times are ms since
 * epoch by the service's clock.
 */
import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

function time(name: string) {
  return bigint(name, { mode: 'number' })
}

/** Data that a provider must remember: pages that wait for a user, codes, tokens, grants, sessions. */
export const records = pgTable(
  'records',
  {
    /** Provider and type, e.g. `github/code`, `google/AccessToken`. */
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** Groups records that end together: tokens of one consent. */
    grantId: text('grant_id'),
    uid: text('uid'),
    consumedAt: time('consumed_at'),
    /** Null: the record does not expire. */
    expiresAt: time('expires_at'),
  },
  table => [
    primaryKey({ columns: [table.kind, table.id] }),
    index('records_grant').on(table.grantId),
    index('records_uid').on(table.uid),
    index('records_expiry').on(table.expiresAt),
  ],
)

/** Facts that all instances must share: keys. */
export const facts = pgTable('facts', { name: text('name').primaryKey(), value: text('value').notNull() })

export { cloudAssets, cloudRecords, driveFiles } from '../storage/schema.js'
