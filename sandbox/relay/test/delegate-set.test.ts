/** The set of a delegate: its server and R1 together, as one operator may run both, do not have the key. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { loadKeks } from '@keybay/sandbox-service/secrets'
import type { KeyShare } from '@keybay/waas/mpc'
import { codecs, createFrameSigner, encode } from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { shareSets } from '../src/db/schema.js'
import { openShare } from '../src/store/shares.js'
import {
  type Answer,
  asDevice,
  askAlone,
  asPeer,
  b64,
  changeSet,
  create,
  delegateTo,
  getShare,
  newDelegate,
  ok,
  only,
  refusal,
  reshare,
  sha256,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { newRelayKeys, startWorld } from './world.js'

const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const
const server = newDelegate()
const r1Keys = newRelayKeys()
const messages = { programs: [], messages: true }
const nothing = { programs: [], messages: false }
const world = await startWorld({ r1: { keys: r1Keys.keys }, environment: { delegates: [server.listed] } })
const r1 = only(world.r1)
const peer = asPeer(world.r2, r1Keys)
afterAll(() => world.stop())

async function delegated(scheme: Wallet['scheme'], target = r1, withR2 = true) {
  const wallet = await create(target, await world.user(), { scheme })
  const { own } = await (await delegateTo(target, wallet, server, { policy: messages, withR2 })).accept()
  return { wallet, own }
}

const { BASE, Fn } = ed25519.Point

/** Returns the address of the value at 0 of the line through the shares of the delegate (x = 1) and R1 (x = 4). */
function combine(delegate: KeyShare, r1: KeyShare): string {
  const scalar = Fn.sub(Fn.mul(4n, Fn.fromBytes(delegate.secret)), Fn.fromBytes(r1.secret))
  return bs58.encode(BASE.multiply(Fn.div(scalar, 3n)).toBytes())
}

/** Reads the relay's share of a set out of its database, as its operator can. */
async function withShares(dataDir: string, look: (getOf: (setId: string) => Promise<KeyShare>) => Promise<void>) {
  const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
  const envelope = createEnvelope(loadKeks({ service: 'relay', variable: 'its key', file: join(dataDir, 'kek') }))
  await look(async setId => {
    const [row] = await db.select().from(shareSets).where(eq(shareSets.id, setId))
    const share = row && openShare(envelope, row)
    if (!share) throw new Error('the relay has no share')
    return share
  })
  await close()
}

it('the delegate’s share and R1’s share together are the key only where there is no R2', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
  const relay = await world.startR1({ dataDir: folder, keys: r1Keys.keys })
  const made: { readonly own: Wallet; readonly isKey: boolean }[] = []
  for (const scheme of SCHEMES) made.push({ ...(await delegated(scheme, only(relay))), isKey: false })
  made.push({ ...(await delegated('TWO_OF_THREE', only(relay), false)), isKey: true })
  await relay.stop()
  await withShares(folder, async getOf => {
    for (const { own, isKey } of made)
      expect(combine(getShare(own, 'C'), await getOf(own.setId)) === own.address).toBe(isKey)
  })
  rmSync(folder, { recursive: true })
}, 60_000)

/** Asks R2 for its share of the delegate's signature, as an R1 does that skips its own checks. */
function askR2(wallet: Wallet, record: string): Promise<Answer> {
  const message = text('hello')
  const { walletId, setId, user } = wallet
  const { commitment } = createFrameSigner(getShare(wallet, 'C'), ['R1', 'R2']).begin(message)
  const write = (party: 'C' | 'R1') => b64(encode(codecs.signCommitment, { ...commitment, party }))
  const body = { setId, kind: 'message', message: b64(message), commitment: write('C') }
  const hash = sha256(message)
  const operation = asDevice(wallet, 'signMessage', { hash, signers: ['C', 'R1', 'R2'], consent: true })
  const extra = { commitment: write('R1'), record }
  return peer.forward({ extra }, true)(r1, user, `/wallets/${walletId}/sign`, body, operation)
}

describe.each(SCHEMES)('a delegate of %s', scheme => {
  const signs = async (own: Wallet) => (await sign(r1, own, text('hello'), { by: askAlone })).status

  it('[S10.5] signs with R1 and R2, each under the policy that the user agreed to', async () => {
    const { wallet, own } = await delegated(scheme)
    expect(getShare(own, 'C').set).toMatchObject({ threshold: 3, parties: ['C', 'R1', 'R2'] })
    expect(await signs(own)).toBe(200)
    const { sets } = ok(await changeSet(r1, wallet, own.setId, 'policy', { policy: nothing }, true)).wallet
    const { record } = sets.find((set: { setId: string }) => set.setId === own.setId)
    expect(await askR2(own, record)).toMatchObject(refusal(403, 'policy_refused'))
  })

  it('[S10.4] [S10.5] is revoked at R1 and at R2', async () => {
    const { wallet, own } = await delegated(scheme)
    const { sets } = ok(await changeSet(r1, wallet, own.setId, 'revoke', {}, true)).wallet
    const { record } = sets.find((set: { setId: string }) => set.setId === own.setId)
    expect(await askR2(own, record)).toMatchObject(refusal(409, 'set_revoked'))
  })

  it('goes on after the wallet was refreshed, and after it changed its scheme', async () => {
    const { wallet, own } = await delegated(scheme)
    const refreshed = await reshare(r1, wallet)
    const next = refreshed.after(wallet, await refreshed.commit())
    for (const to of SCHEMES.filter(other => other !== scheme)) {
      const changed = await reshare(r1, next, { purpose: 'reshare', scheme: to })
      const after = changed.after(next, await changed.commit())
      expect(await signs(own)).toBe(200)
      ok(await changeSet(r1, after, own.setId, 'policy', { policy: messages }, true))
      const back = await reshare(r1, after, { purpose: 'reshare', scheme })
      Object.assign(next, back.after(after, await back.commit()))
    }
    expect(await signs(own)).toBe(200)
    ok(await changeSet(r1, next, own.setId, 'revoke', {}, true))
    expect(await signs(own)).toBe(409)
  })
})

it('refuses a share at R2 for any set but a delegate’s', async () => {
  const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  const { begun } = await reshare(r1, wallet, { change: body => ({ ...body, withR2: true }) })
  expect(begun).toMatchObject(refusal(400, 'invalid_request', { reason: 'withR2' }))
})
