/**
 * Finds records of CloudKit by a field, creates and deletes them (“Fetching Records Using a Query”, “Modifying
 * Records”).
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Services } from '../services.js'
import { assetUrl, ownAsset } from './cloudkit-assets.js'
import { badRequest, CloudKitError } from './cloudkit-errors.js'
import { cloudRecords, type Fields } from './schema.js'

export interface Database {
  readonly container: string
  readonly environment: string
  readonly owner: string
}
type Row = typeof cloudRecords.$inferSelect
const MAX_RESULTS = 200

function inDatabase({ container, environment, owner }: Database) {
  return and(
    eq(cloudRecords.container, container),
    eq(cloudRecords.environment, environment),
    eq(cloudRecords.owner, owner),
  )
}

const name = v.pipe(v.string(), v.regex(/^[\w.-]{1,255}$/))
const fieldValue = v.object({ value: v.unknown(), type: v.optional(v.string()) })
export const querySchema = v.object({
  query: v.object({
    recordType: name,
    filterBy: v.optional(
      v.array(
        v.object({
          fieldName: name,
          comparator: v.literal('EQUALS'),
          fieldValue: v.object({ value: v.union([v.string(), v.number()]), type: v.optional(v.string()) }),
        }),
      ),
      [],
    ),
    sortBy: v.optional(
      v.pipe(
        v.array(v.object({ systemFieldName: v.literal('createdTimestamp'), ascending: v.optional(v.boolean(), true) })),
        v.maxLength(1),
      ),
      [],
    ),
  }),
  resultsLimit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_RESULTS)), MAX_RESULTS),
  continuationMarker: v.optional(v.string()),
})

function show(services: Services, row: Row): object {
  return {
    recordName: row.name,
    recordType: row.type,
    recordChangeTag: row.changeTag,
    created: { timestamp: row.createdAt, userRecordName: `_${row.owner}`, deviceID: '2' },
    modified: { timestamp: row.modifiedAt, userRecordName: `_${row.owner}`, deviceID: '2' },
    deleted: false,
    fields: Object.fromEntries(
      Object.entries(row.fields).map(([field, { value, type }]) => [
        field,
        type === 'ASSETID' ? { value: assetUrl(services, value), type } : { value, type },
      ]),
    ),
  }
}

export async function queryRecords(
  services: Services,
  database: Database,
  { query, resultsLimit, continuationMarker }: v.InferOutput<typeof querySchema>,
): Promise<object> {
  const { recordType, filterBy, sortBy } = query
  const ascending = sortBy[0]?.ascending ?? true
  const last =
    continuationMarker === undefined ? undefined : Number(Buffer.from(continuationMarker, 'base64').toString())
  if (last !== undefined && !Number.isSafeInteger(last)) throw badRequest('invalid continuationMarker')
  const matches = await services.db
    .select()
    .from(cloudRecords)
    .where(
      and(
        inDatabase(database),
        eq(cloudRecords.type, recordType),
        ...filterBy.map(
          ({ fieldName, fieldValue: { value } }) =>
            sql`${cloudRecords.fields} -> ${fieldName} -> 'value' = ${JSON.stringify(value)}::jsonb`,
        ),
        last === undefined ? undefined : (ascending ? gt : lt)(cloudRecords.sequence, last),
      ),
    )
    .orderBy((ascending ? asc : desc)(cloudRecords.sequence))
    .limit(resultsLimit + 1)
  const rows = matches.slice(0, resultsLimit)
  const end = rows.at(-1)?.sequence
  const more = matches.length > resultsLimit && end !== undefined
  return {
    records: rows.map(row => show(services, row)),
    ...(more && { continuationMarker: Buffer.from(String(end)).toString('base64') }),
  }
}

const recordName = v.optional(name)
export const modifySchema = v.object({
  operations: v.pipe(
    v.array(
      v.variant('operationType', [
        v.object({
          operationType: v.literal('create'),
          record: v.object({ recordName, recordType: name, fields: v.record(name, fieldValue) }),
        }),
        v.object({
          operationType: v.picklist(['delete', 'forceDelete']),
          record: v.object({ recordName: name, recordChangeTag: v.optional(v.string()) }),
        }),
      ]),
    ),
    v.minLength(1),
    v.maxLength(MAX_RESULTS),
  ),
})
type Operation = v.InferOutput<typeof modifySchema>['operations'][number]

function typeOf(value: unknown, said: string | undefined): string {
  if (typeof value === 'string' && (said ?? 'STRING') === 'STRING') return 'STRING'
  if (Number.isSafeInteger(value) && (said ?? 'INT64') === 'INT64') return 'INT64'
  if (typeof value === 'object' && value !== null && (said ?? 'ASSETID') === 'ASSETID') return 'ASSETID'
  throw badRequest('a field has another type than its value')
}

async function act(services: Services, database: Database, { operationType, record }: Operation): Promise<object> {
  const { db, clock } = services
  if (operationType !== 'create') {
    const row = and(inDatabase(database), eq(cloudRecords.name, record.recordName))
    const [known] = await db.select().from(cloudRecords).where(row)
    if (!known) throw new CloudKitError('NOT_FOUND', 'record not found')
    if (operationType === 'delete' && known.changeTag !== record.recordChangeTag)
      throw new CloudKitError('CONFLICT', 'the record has changed')
    await db.delete(cloudRecords).where(row)
    return { recordName: record.recordName, deleted: true }
  }
  const fields: Fields = {}
  for (const [field, { value, type: said }] of Object.entries(record.fields)) {
    const type = typeOf(value, said)
    if (type === 'ASSETID' && !(await ownAsset(services, database, { recordType: record.recordType, field, value })))
      throw badRequest('the asset was not uploaded for this field')
    fields[field] = { value, type }
  }
  const now = clock.now()
  const values = {
    ...database,
    name: record.recordName ?? randomUUID(),
    type: record.recordType,
    fields,
    changeTag: randomBytes(4).toString('hex'),
    createdAt: now,
    modifiedAt: now,
  }
  const [row] = await db.insert(cloudRecords).values(values).onConflictDoNothing().returning()
  if (!row) throw new CloudKitError('EXISTS', 'record to insert already exists')
  return show(services, row)
}

/** Modifies records one by one: an error takes the place of a refused record, and the other changes stand. */
export async function modifyRecords(
  services: Services,
  database: Database,
  { operations }: v.InferOutput<typeof modifySchema>,
): Promise<object> {
  const records: object[] = []
  for (const operation of operations) {
    const { recordName } = operation.record
    records.push(
      await act(services, database, operation).catch((error: unknown) => {
        if (!(error instanceof CloudKitError)) throw error
        return { recordName, reason: error.message, serverErrorCode: error.code }
      }),
    )
  }
  return { records }
}
