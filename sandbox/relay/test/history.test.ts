/** Every change of a wallet is a signed record that names the one before, in a log that the database protects. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { records } from '../src/db/schema.js'
import {
  changeSet,
  create,
  delegateTo,
  list,
  newDelegate,
  ok,
  only,
  policyJson,
  reshare,
  sha256,
  thumbprint,
} from './frame/index.js'
import { startWorld, type World } from './world.js'

const server = newDelegate()
const policy = { programs: [], messages: true }
let world: World
const dataDir = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
beforeAll(async () => {
  world = await startWorld({ r1: { dataDir }, environment: { delegates: [server.listed] } })
}, 120_000)
afterAll(() => rmSync(dataDir, { recursive: true }))

function getClaims(record: string) {
  return JSON.parse(Buffer.from(record.split('.')[1] ?? '', 'base64url').toString())
}

it('each change of a wallet makes a signed record with policy, device, generation and the hash of the record before', async () => {
  const r1 = only(world.r1)
  const user = await world.user()
  const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
  await create(r1, user)
  const { accept } = await delegateTo(r1, wallet, server, { policy })
  const { own: delegate } = await accept()
  ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy: { messages: true, programs: [] } }, true))
  const replaced = await reshare(r1, { ...wallet, policy }, { purpose: 'replaceDevice', by: 'B1' })
  const next = replaced.after(wallet, await replaced.commit())
  ok(await changeSet(r1, next, delegate.setId, 'revoke', {}, true))
  const listed = (await list(r1, user)).find(({ walletId }) => walletId === wallet.walletId)
  await world.stop()

  const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
  const entries = await db
    .select()
    .from(records)
    .where(eq(records.walletId, wallet.walletId))
    .orderBy(asc(records.generation))
  const claims = entries.map(({ record }) => getClaims(record))
  const none = sha256('null')
  const limited = sha256(policyJson(policy))
  const [old, now, theirs] = [wallet.device, next.device, delegate.device].map(thumbprint)
  expect(claims.map(({ set, epoch, status, policy, device }) => [set, epoch, status, policy, device])).toEqual([
    [wallet.setId, 0, 'active', none, old],
    [delegate.setId, 0, 'active', limited, theirs],
    [wallet.setId, 0, 'active', limited, old],
    [wallet.setId, 1, 'active', limited, now],
    [delegate.setId, 0, 'revoked', limited, theirs],
  ])
  expect(claims.map(({ gen }) => gen)).toEqual([0, 1, 2, 3, 4])
  expect(claims.map(({ prev }) => prev)).toEqual(['', ...entries.slice(0, -1).map(({ record }) => sha256(record))])
  expect(listed?.sets.map(({ record }: { record: string }) => record)).toEqual([entries[3]?.record, entries[4]?.record])

  const log = await db.select().from(records).orderBy(asc(records.sequence))
  let hash = ''
  for (const entry of log) {
    hash = sha256(`${hash}\n${entry.record}`)
    expect(entry.hash).toBe(hash)
  }
  for (const statement of ["update records set record = ''", 'delete from records', 'truncate records'])
    await expect(db.execute(sql.raw(statement))).rejects.toThrow()
  await close()
}, 120_000)
