/** One relay's data is put back to an earlier copy: what was revoked or replaced since stays so. */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { shareSets } from '../src/db/schema.js'
import { type Relay, startRelay } from '../src/index.js'
import {
  type Answer,
  asDevice,
  ask,
  askAlone,
  changeSet,
  create,
  delegateTo,
  list,
  newDelegate,
  ok,
  READ,
  refusal,
  reshare,
  send,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { startWorld, type World } from './world.js'

const server = newDelegate()
const policy = { programs: [], messages: true }
const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
const dataDirs = { r1: join(folder, 'r1'), r2: join(folder, 'r2') }
type Name = keyof typeof dataDirs

let world: World
const relays = new Map<Name, Relay>()
const r1 = { next: () => getRelay('r1') }

function getRelay(name: Name): Relay {
  const relay = relays.get(name)
  if (!relay) throw new Error(`${name} is stopped`)
  return relay
}

async function stop(name: Name): Promise<void> {
  await relays.get(name)?.stop()
  relays.delete(name)
}

async function start(name: Name, isAlone = false): Promise<void> {
  const { port, clock } = world[name]
  const peerUrl = isAlone ? undefined : world[name === 'r1' ? 'r2' : 'r1'].internalUrl
  const options = {
    mode: 'sandbox' as const,
    port,
    clock,
    dataDir: dataDirs[name],
    environments: world.environments,
    peerUrl,
  }
  const log = world.logs.push.bind(world.logs)
  relays.set(name, await startRelay({ ...options, party: name === 'r1' ? 1 : 2, limitFactor: 100, log }))
  await world.settled()
}

/** Stops the relay, copies its data, and starts it again. */
async function takeCopy(name: Name): Promise<void> {
  await stop(name)
  rmSync(join(folder, 'copy'), { recursive: true, force: true })
  cpSync(dataDirs[name], join(folder, 'copy'), { recursive: true })
  await start(name)
}

/** Replaces the relay's data with the copy, and starts it again. */
async function putBack(name: Name, isAlone = false): Promise<void> {
  await stop(name)
  rmSync(dataDirs[name], { recursive: true })
  cpSync(join(folder, 'copy'), dataDirs[name], { recursive: true })
  await start(name, isAlone)
}

beforeAll(async () => {
  world = await startWorld({
    r1: { dataDir: dataDirs.r1 },
    r2: { dataDir: dataDirs.r2 },
    environment: { delegates: [server.listed] },
  })
  relays.set('r1', world.r1)
  relays.set('r2', world.r2)
}, 120_000)
afterAll(async () => {
  await stop('r1')
  await stop('r2')
  await world.api.stop()
  rmSync(folder, { recursive: true })
})

async function delegated(wallet: Wallet): Promise<Wallet> {
  const { accept } = await delegateTo(r1, wallet, server, { policy })
  const { answer, own } = await accept()
  ok(answer)
  return own
}

function signAlone(delegate: Wallet): Promise<Answer> {
  return sign(r1, delegate, text('alone'), { by: askAlone })
}

async function replaceDevice(wallet: Wallet): Promise<Wallet> {
  const replaced = await reshare(r1, wallet, { purpose: 'replaceDevice', by: 'B1' })
  return replaced.after(wallet, await replaced.commit())
}

async function changeScheme(wallet: Wallet, scheme: Wallet['scheme']): Promise<Wallet> {
  const changed = await reshare(r1, wallet, { purpose: 'reshare', scheme })
  return { ...changed.after(wallet, await changed.commit()), scheme }
}

async function create3(scheme: Wallet['scheme'] = 'TWO_OF_THREE'): Promise<Wallet> {
  return create(r1, await world.user(), { scheme })
}

function errors(walletId: string): unknown[] {
  return world.logs.filter(line => line.level === 'error' && line.walletId === walletId).map(({ message }) => message)
}

describe('R1 is put back to an earlier copy', () => {
  it('what was revoked or replaced since then stays so, and other wallets go on', async () => {
    const wallet = await create3()
    const delegate = await delegated(wallet)
    const stolen = await create3()
    const limited = await create3()
    const untouched = await create3('THREE_OF_FIVE')
    await takeCopy('r1')
    ok(await changeSet(r1, wallet, delegate.setId, 'revoke', {}, true))
    const next = await replaceDevice(stolen)
    ok(await changeSet(r1, limited, limited.setId, 'policy', { policy: { programs: [], messages: false } }, true))
    expect(await signAlone(delegate)).toMatchObject(refusal(409, 'set_revoked'))
    expect(await sign(r1, stolen, text('old'))).toMatchObject(refusal(401, 'invalid_device_signature'))
    expect(await sign(r1, limited, text('no'))).toMatchObject(refusal(403, 'policy_refused'))
    await putBack('r1')

    expect(await signAlone(delegate)).toMatchObject(refusal(409, 'set_revoked'))
    expect(await sign(r1, stolen, text('old'))).toMatchObject(refusal(409, 'share_lost'))
    expect(await sign(r1, next, text('new'))).toMatchObject(refusal(409, 'share_lost'))
    expect(await sign(r1, limited, text('no'))).toMatchObject(refusal(403, 'policy_refused'))
    expect(ok(await sign(r1, wallet, text('still')))).toBeDefined()
    expect(ok(await sign(r1, untouched, text('still')))).toBeDefined()
    expect(errors(stolen.walletId)).toEqual([
      'a wallet is quarantined: this relay was restored and is behind the other relay',
      'a share is lost: it is newer than this database',
    ])
    expect(errors(untouched.walletId)).toEqual([])
    // The history goes on from the record that only R2 had.
    const again = await delegated(wallet)
    ok(await changeSet(r1, wallet, again.setId, 'revoke', {}, true))
    expect(await signAlone(again)).toMatchObject(refusal(409, 'set_revoked'))
  }, 120_000)

  it('a delegation that the primary device aborted since then stays so', async () => {
    const wallet = await create3()
    const { accept, next } = await delegateTo(r1, wallet, server, { policy })
    await takeCopy('r1')
    const path = `/wallets/${wallet.walletId}/reshare/abort`
    ok(await ask(r1, wallet.user, path, { ceremonyId: next.ceremonyId }, asDevice(wallet, 'delegateKeyShares')))
    await putBack('r1')
    const { answer, own } = await accept()
    expect(answer).toMatchObject(refusal(409, 'ceremony_state'))
    expect(await signAlone(own)).toMatchObject(refusal(401, 'unauthorized'))
    ok(await sign(r1, wallet, text('still')))
  }, 120_000)

  it('a device whose addition was begun again since then is not added by the first attempt', async () => {
    const wallet = await create3()
    const add = (newSetId: string) => reshare(r1, wallet, { purpose: 'addDevice', by: 'B1', newSetId })
    const [setId, other] = [randomUUID(), randomUUID()]
    const first = await add(setId)
    const revoked = await add(other)
    await takeCopy('r1')
    const second = await add(setId)
    const added = second.after(wallet, await second.commit())
    const again = await add(other)
    again.after(wallet, await again.commit())
    ok(await changeSet(r1, wallet, other, 'revoke', {}, true))
    await putBack('r1')
    expect(await first.commit()).toMatchObject(refusal(409, 'ceremony_state'))
    expect(await revoked.commit()).toMatchObject(refusal(409, 'ceremony_state'))
    expect(await sign(r1, added, text('lost'))).toMatchObject(refusal(404, 'set_not_found'))
  }, 120_000)

  it('a record that a frame shows first neither freezes what the other relay repairs nor revives the old device', async () => {
    const stolen = await create3()
    await takeCopy('r1')
    const next = await replaceDevice(stolen)
    await putBack('r1')
    const path = `/wallets/${stolen.walletId}/record`
    for (const { record } of [stolen, next])
      expect((await ask(r1, stolen.user, path, { record }, READ)).status).toBe(200)
    expect(await sign(r1, stolen, text('old'))).toMatchObject(refusal(409, 'share_lost'))
  }, 120_000)
})

describe('the relays have two histories of a wallet', () => {
  it('the wallet signs nothing until the relay with the false history is put back to a copy from before both', async () => {
    const [wallet, other] = [await create3(), await create3()]
    const limit = (messages: boolean) =>
      changeSet(r1, wallet, wallet.setId, 'policy', { policy: { programs: [], messages } }, true)
    await takeCopy('r1')
    ok(await limit(false))
    // The operator puts R1 back and starts it without its peer, so it signs another record in place of the same one.
    await putBack('r1', true)
    ok(await limit(true))
    ok(await sign(r1, wallet, text('revived')))
    await stop('r1')
    await start('r1')
    expect(await sign(r1, wallet, text('which'))).toMatchObject(refusal(409, 'wallet_quarantined'))
    ok(await sign(r1, other, text('untouched')))
    expect(errors(wallet.walletId)).toEqual([
      'a wallet is quarantined: the relays have different histories of it, and an operator has to find out why',
    ])
    await putBack('r1')
    expect(await sign(r1, wallet, text('limited'))).toMatchObject(refusal(403, 'policy_refused'))
    ok(await limit(true))
    ok(await sign(r1, wallet, text('allowed again')))
  }, 120_000)
})

describe('R2 is put back to an earlier copy', () => {
  it('what was revoked or replaced since then stays so, and other wallets go on', async () => {
    const wallet = await create3('THREE_OF_FIVE')
    const delegate = await delegated(wallet)
    const stolen = await create3('THREE_OF_FIVE')
    const untouched = await create3('THREE_OF_FIVE')
    await takeCopy('r2')
    ok(await changeSet(r1, wallet, delegate.setId, 'revoke', {}, true))
    const next = await replaceDevice(stolen)
    await putBack('r2')
    expect(await signAlone(delegate)).toMatchObject(refusal(409, 'set_revoked'))
    expect(await sign(r1, next, text('new'))).toMatchObject(refusal(409, 'share_lost', { by: 'R2' }))
    expect(ok(await sign(r1, wallet, text('still')))).toBeDefined()
    expect(ok(await sign(r1, untouched, text('still')))).toBeDefined()
    const statusAtR2 = await readAtR2([delegate.setId, stolen.setId])
    expect(statusAtR2).toEqual([
      { status: 'revoked', isLost: false, hasShare: false },
      { status: 'active', isLost: true, hasShare: true },
    ])
  }, 120_000)

  it('a wallet that R2 left since then is left again, without its share, and R2 may come back', async () => {
    const [wallet, other] = [await create3('THREE_OF_FIVE'), await create3('THREE_OF_FIVE')]
    await takeCopy('r2')
    const without = await changeScheme(wallet, 'TWO_OF_THREE')
    await putBack('r2')
    ok(await sign(r1, other, text('R2 has compared itself')))
    expect(await readAtR2([wallet.setId])).toEqual([{ status: 'revoked', isLost: false, hasShare: false }])
    const back = await changeScheme(without, 'THREE_OF_FIVE')
    ok(await sign(r1, back, text('with R2')))
  }, 120_000)
})

describe('R2 is put back to a copy from before a policy of the user', () => {
  it('refuses what the policy refuses, also when R1 lies and after a start, until the user sets another', async () => {
    const wallet = await create3('THREE_OF_FIVE')
    const setTo = (next: object) => changeSet(r1, wallet, wallet.setId, 'policy', { policy: next }, true)
    await takeCopy('r2')
    ok(await setTo({ programs: [{ programId: '1'.repeat(32) }], messages: false }))
    await putBack('r2')
    await forgetPolicyAtR1()
    expect(await sign(r1, wallet, text('no'))).toMatchObject(refusal(403, 'policy_refused', { rule: 'message' }))
    await stop('r2')
    await start('r2')
    expect(await sign(r1, wallet, text('no'))).toMatchObject(refusal(403, 'policy_refused', { rule: 'message' }))
    ok(await setTo(policy))
    ok(await sign(r1, wallet, text('yes')))
  }, 120_000)

  it('the user sets the same policy again, with the second factor for R2 alone', async () => {
    const wallet = await create3('THREE_OF_FIVE')
    const setTo = (mfaToken?: string) =>
      changeSet(r1, wallet, wallet.setId, 'policy', { policy }, true, ask, { ...(mfaToken && { mfaToken }) })
    await takeCopy('r2')
    ok(await setTo())
    await putBack('r2')
    const factor = await world.enrol(wallet.user)
    const demanded = await setTo()
    expect(demanded).toMatchObject(refusal(403, 'mfa_required'))
    ok(await setTo(await world.tokenFor(wallet.user, demanded.body.details, factor)))
  }, 120_000)
})

describe('no relay was put back', () => {
  it('nothing is quarantined when both relays start again', async () => {
    const wallet = await create3('THREE_OF_FIVE')
    const delegate = await delegated(wallet)
    await stop('r1')
    await stop('r2')
    await start('r2')
    await start('r1')
    ok(await sign(r1, wallet, text('on')))
    ok(await signAlone(delegate))
    expect(errors(wallet.walletId)).toEqual([])
  }, 120_000)

  it('a relay that starts without its peer reads and waits with its signatures until the peer is back', async () => {
    const wallet = await create3()
    await stop('r1')
    await stop('r2')
    await start('r1')
    expect(await sign(r1, wallet, text('wait'))).toMatchObject(refusal(503, 'not_compared'))
    expect(await changeSet(r1, wallet, wallet.setId, 'policy', { policy: null }, true)).toMatchObject(
      refusal(503, 'not_compared'),
    )
    expect(await list(r1, wallet.user)).toHaveLength(1)
    await start('r2')
    ok(await sign(r1, wallet, text('go on')))
  }, 120_000)

  it('when the peer goes away later, signing and revocation go on, and commits of epochs wait', async () => {
    const wallet = await create3()
    const delegate = await delegated(wallet)
    ok(await sign(r1, wallet, text('compared')))
    const refresh = await reshare(r1, wallet)
    await stop('r2')
    ok(await sign(r1, wallet, text('alone')))
    ok(await changeSet(r1, wallet, delegate.setId, 'revoke', {}, true))
    expect(await signAlone(delegate)).toMatchObject(refusal(409, 'set_revoked'))
    expect(await refresh.commit()).toMatchObject(refusal(503, 'peer_unavailable'))
    ok(await sign(r1, wallet, text('old epoch')))
    await start('r2')
    const next = refresh.after(wallet, await refresh.commit())
    ok(await sign(r1, next, text('new epoch')))
  }, 120_000)
})

describe('the log of records', () => {
  it.each(['record', 'compare', 'history'])(
    'a relay answers /peer/%s only to the signature of its peer',
    async path => {
      const wallet = await create3()
      const bodies: Record<string, object> = {
        record: { environmentId: 'local', record: wallet.record, policy: 'null' },
        compare: { after: '', heads: [] },
        history: { walletId: wallet.walletId, from: 0 },
      }
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(bodies[path])
      const answers = (['r1', 'r2'] as const).map(name =>
        send(`${getRelay(name).internalUrl}/peer/${path}`, headers, body),
      )
      const refused = refusal(401, 'unauthorized')
      // R1 takes no records: it signs them.
      const atR1 = path === 'record' ? { status: 404 } : refused
      expect(await Promise.all(answers)).toMatchObject([atR1, refused])
    },
    120_000,
  )
})

/** Makes R1 sign for anything. */
async function forgetPolicyAtR1(): Promise<void> {
  await stop('r1')
  const { db, close } = await openDatabase({ dataDir: join(dataDirs.r1, 'db') })
  await db.update(shareSets).set({ policy: null })
  await close()
  await start('r1')
}

async function readAtR2(ids: readonly string[]) {
  await stop('r2')
  const { db, close } = await openDatabase({ dataDir: join(dataDirs.r2, 'db') })
  const rows = await db.select().from(shareSets)
  await close()
  await start('r2')
  return ids.map(id => {
    const row = rows.find(row => row.id === id)
    return { status: row?.status, isLost: row?.lostAt !== null, hasShare: row?.share !== null }
  })
}
