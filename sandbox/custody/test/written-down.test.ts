/** An activity and the vote of the user who requested it are stored together or not at all. */
import { join } from 'node:path'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import type { TSignedRequest } from '@turnkey/http'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { COMPLETED, post, startWorld, type World } from './world.js'

let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
})

async function run<T>(use: (world: World) => Promise<T>): Promise<T> {
  const world = await startWorld({ dataDir })
  try {
    return await use(world)
  } finally {
    await world.stop()
  }
}

async function inDatabase(...statements: readonly string[]): Promise<void> {
  const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
  try {
    for (const statement of statements) await db.execute(sql.raw(statement))
  } finally {
    await close()
  }
}

function send({ custody }: World, signed: TSignedRequest) {
  return post(custody.internalUrl, 'submit/sign_raw_payload', signed)
}

it('an activity that failed before its vote was written completes on retry, even after a restart', async () => {
  const signed = await run(async world => {
    const user = await world.user()
    return world.clientOf(await world.session(user)).stampSignRawPayload(user.signature('aa'))
  })
  if (!signed) throw new Error('not stamped')
  await inDatabase(
    "create function refuse_vote() returns trigger language plpgsql as $$ begin raise exception 'no votes'; end $$",
    'create trigger refuse_vote before insert on votes for each row execute function refuse_vote()',
  )
  expect((await run(world => send(world, signed))).status).toBe(500)
  await inDatabase('drop trigger refuse_vote on votes')
  expect(await run(world => send(world, signed))).toMatchObject({
    status: 200,
    answer: { activity: { status: COMPLETED } },
  })
})
