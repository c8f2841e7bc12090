/** Export of the log of signed records, for `npx @keybay/waas audit`: one entry per line, then the signed head. */
import { asc } from 'drizzle-orm'
import { signJws } from './authority/jws.js'
import type { Database } from './db/open.js'
import { records } from './db/schema.js'
import type { PartyKeys } from './party.js'
import type { RelayParty } from './services.js'

export interface LogExport {
  readonly db: Pick<Database, 'select'>
  readonly keys: PartyKeys
  readonly party: RelayParty
  /** ms since epoch */
  readonly now: number
}

export async function exportLog({ db, keys, party, now }: LogExport): Promise<string> {
  const { sequence, record, policy, hash } = records
  const entries = await db.select({ sequence, record, policy, hash }).from(records).orderBy(asc(sequence))
  const last = entries.at(-1)
  const claims = { iss: party, sequence: last?.sequence ?? 0, hash: last?.hash ?? '', iat: Math.floor(now / 1000) }
  const head = signJws({ typ: 'keybay-log+jwt', kid: keys.record.kid }, claims, keys.record.key)
  return [...entries, { head }].map(line => JSON.stringify(line)).join('\n')
}
