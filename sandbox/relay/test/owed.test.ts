/** Data that R2 should no longer have is also erased there, even if R2 was away when R1 sent the record. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { shareSets } from '../src/db/schema.js'
import { startRelay } from '../src/index.js'
import { changeSet, create, ok, only, reshare, sign, text } from './frame/index.js'
import { startWorld } from './world.js'

it('a set revoked while R2 is down stops signing at R1 at once, and R2 erases its share once R2 is back', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
  const world = await startWorld({ r2: { dataDir } })
  try {
    const r1 = only(world.r1)
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const joined = await reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
    const second = joined.after(wallet, await joined.commit())
    expect((await sign(r1, second, text('two'))).status).toBe(200)
    const atR2 = async () => {
      const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
      const columns = { status: shareSets.status, share: shareSets.share }
      const rows = await db.select(columns).from(shareSets).where(eq(shareSets.id, second.setId))
      await close()
      return rows
    }

    await world.r2.stop()
    const revoked = await changeSet(r1, wallet, second.setId, 'revoke', {}, true)
    expect(ok(revoked).wallet.sets.map(({ status }: { status: string }) => status)).toEqual(['active', 'revoked'])
    expect(await atR2()).toMatchObject([{ status: 'active', share: expect.any(String) }])
    // R2 is away: R1 keeps the record for it.
    await world.r1.sweep()

    const { port, clock } = world.r2
    const { environments, r1: peer } = world
    const back = await startRelay({
      mode: 'sandbox',
      party: 2,
      port,
      dataDir,
      environments,
      peerUrl: peer.internalUrl,
      clock,
    })
    await world.settled()
    await world.r1.sweep()
    await back.stop()
    expect(await atR2()).toEqual([{ status: 'revoked', share: null }])
  } finally {
    // The test has already stopped every R2 that it started.
    await world.r1.stop()
    await world.api.stop()
    rmSync(dataDir, { recursive: true })
  }
}, 120_000)
