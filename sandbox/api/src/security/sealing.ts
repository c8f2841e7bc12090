/** Protects with the API's secret: sealed values in the database, and the key of its hashes. */
import { randomBytes } from 'node:crypto'
import type { Query } from '@keybay/sandbox-service/database'
import type { Envelope } from '@keybay/sandbox-service/envelope'
import { type FilePart, keepFact } from '@keybay/sandbox-service/keys'
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { parseKeyFile } from './keys.js'

/** Name of the fact with the sealed hash key, and what it is sealed for. */
export const HASH_KEY = 'hash-key'

/**
 * Opens the key of all keyed hashes; the first start makes it. A rotation of the secret seals it again and does not
 * change it: refresh tokens and recovery codes are hashes that only their users have in the clear.
 */
export async function openHashKey(db: Database, envelope: Envelope): Promise<Uint8Array> {
  return envelope.open(await keepFact(db, HASH_KEY, () => envelope.seal(randomBytes(32), HASH_KEY)), HASH_KEY)
}

/** Columns that hold values sealed under the secret, with the condition of their rows. */
const SEALED = [
  { table: 'facts', id: 'name', column: 'value', only: `name = '${HASH_KEY}'` },
  { table: 'mfa_devices', id: 'id', column: 'sealed', only: 'sealed is not null' },
  { table: 'social_tokens', id: 'credential_id', column: 'sealed', only: 'true' },
  { table: 'sponsors', id: 'environment_id', column: 'sealed', only: 'true' },
] as const

const AT_ONCE = 500
const rows = v.array(v.object({ id: v.string(), sealed: v.string() }))

/** Wraps everything sealed under the first key of the envelope, and returns the number of values that were not. */
export async function rewrap(query: Query, envelope: Pick<Envelope, 'rewrap'>): Promise<number> {
  let count = 0
  for (const { table, id, column, only } of SEALED) {
    const readAfter = async (last: string) =>
      v.parse(
        rows,
        await query(
          `select ${id} as id, ${column} as sealed from ${table} where ${only} and ${id} > $1 order by 1 limit ${AT_ONCE}`,
          [last],
        ),
      )
    for (let batch = await readAfter(''); batch.length > 0; batch = await readAfter(batch.at(-1)?.id ?? '')) {
      for (const row of batch) {
        const again = envelope.rewrap(row.sealed)
        if (again === undefined) continue
        // A value that an instance has replaced since is new: the next run looks at it.
        const values = [again, row.id, row.sealed]
        await query(`update ${table} set ${column} = $1 where ${id} = $2 and ${column} = $3`, values)
        count++
      }
    }
  }
  return count
}

/** The secret in the file of the API's keys. */
export const SECRET_PART: FilePart = {
  read: text => parseKeyFile(text, 'API_KEYS_FILE').secret,
  replace: (text, secret) => JSON.stringify({ ...JSON.parse(text), secret }, null, 2),
}
