/**
 * Tables of the users' drives: files of Google Drive, records and assets of CloudKit. Times are ms by the service's
 * clock.
 */
import { bigint, customType, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

function time(name: string) {
  return bigint(name, { mode: 'number' })
}
const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

export const driveFiles = pgTable(
  'drive_files',
  {
    id: text('id').primaryKey(),
    /** Key in users.ts. */
    owner: text('owner').notNull(),
    /** App data belongs to one app: another app of the same user does not see it. */
    clientId: text('client_id').notNull(),
    name: text('name').notNull(),
    mimeType: text('mime_type').notNull(),
    appProperties: jsonb('app_properties').$type<Record<string, string>>().notNull(),
    content: bytes('content').notNull(),
    createdAt: time('created_at').notNull(),
    modifiedAt: time('modified_at').notNull(),
    /** Orders rows with equal times. */
    sequence: bigint('sequence', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  table => [index('drive_files_owner').on(table.owner, table.clientId, table.sequence)],
)

const place = {
  container: text('container').notNull(),
  environment: text('environment').notNull(),
  owner: text('owner').notNull(),
}
export type Fields = Record<string, { readonly value: unknown; readonly type: string }>

/** Records of private databases, default zone. */
export const cloudRecords = pgTable(
  'cloud_records',
  {
    ...place,
    name: text('name').notNull(),
    type: text('type').notNull(),
    fields: jsonb('fields').$type<Fields>().notNull(),
    changeTag: text('change_tag').notNull(),
    createdAt: time('created_at').notNull(),
    modifiedAt: time('modified_at').notNull(),
    sequence: bigint('sequence', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  table => [primaryKey({ columns: [table.container, table.environment, table.owner, table.name] })],
)

/** Uploaded files. A file that no record names is unreachable. */
export const cloudAssets = pgTable('cloud_assets', {
  receipt: text('receipt').primaryKey(),
  ...place,
  recordType: text('record_type').notNull(),
  fieldName: text('field_name').notNull(),
  fileChecksum: text('file_checksum').notNull(),
  content: bytes('content').notNull(),
})
