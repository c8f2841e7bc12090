/** A ceremony or a record ends, blocks or freezes only the wallet that it belongs to, and only what it may. */
import { afterAll, describe, expect, it } from 'vitest'
import {
  asDevice,
  ask,
  askAlone,
  asPeer,
  changeSet,
  create,
  delegateTo,
  newDelegate,
  ok,
  only,
  type ReshareOptions,
  refusal,
  reshare,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { newRelayKeys, startWorld } from './world.js'

const r1Keys = newRelayKeys()
const server = newDelegate()
const policy = { programs: [], messages: true }
const world = await startWorld({ r1: { keys: r1Keys.keys }, environment: { delegates: [server.listed] } })
const r1 = only(world.r1)
const peer = asPeer(world.r2, r1Keys)
afterAll(() => world.stop())

async function commit(wallet: Wallet, options: ReshareOptions): Promise<Wallet> {
  const change = await reshare(r1, wallet, options)
  return change.after(wallet, await change.commit())
}

async function expectSigns(wallet: Wallet) {
  expect(await sign(r1, wallet, text('still mine'))).toMatchObject({ status: 200 })
}

describe('ceremonies of two users', () => {
  it('a user cannot end the resharing of another user by naming its set', async () => {
    const victim = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const mallory = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const refresh = await reshare(r1, victim)
    const attack = await reshare(r1, mallory, { purpose: 'addDevice', by: 'B1', newSetId: victim.setId })
    expect(attack.begun).toMatchObject({ status: 409, body: { code: 'wallet_exists' } })
    await expectSigns(refresh.after(victim, await refresh.commit()))
  })

  it('a user cannot end the joining of another user’s new device by naming its set', async () => {
    const victim = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const mallory = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const joining = await reshare(r1, victim, { purpose: 'addDevice', by: 'B1' })
    const attack = await reshare(r1, mallory, { purpose: 'addDevice', by: 'B1', newSetId: joining.next.setId })
    const joined = joining.after(victim, await joining.commit())
    await expectSigns(joined)
    expect(await attack.commit()).toMatchObject({ status: 409, body: { code: 'wallet_exists' } })
    await expectSigns(joined)
  })
})

describe('a set that waits for its holder', () => {
  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'a delegation of %s that the user revokes before the server accepts it never signs',
    async scheme => {
      const wallet = await create(r1, await world.user(), { scheme })
      const dealt = await delegateTo(r1, wallet, server, { policy })
      const { wallet: shown } = ok(await changeSet(r1, wallet, dealt.setId, 'revoke', {}, true))
      expect(shown.sets).toMatchObject([{ kind: 'primary' }, { kind: 'delegate', status: 'revoked' }])
      const { answer, own } = await dealt.accept()
      expect(answer).toMatchObject(refusal(409, 'ceremony_state'))
      expect(await sign(r1, own, text('pay'), { by: askAlone })).toMatchObject(refusal(409, 'set_revoked'))
      expect(await changeSet(r1, wallet, dealt.setId, 'revoke', {}, true)).toMatchObject(refusal(409, 'set_revoked'))
      await expectSigns(wallet)
    },
  )

  it('R2 ends a delegation that was revoked before the server accepted it', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const dealt = await delegateTo(r1, wallet, server, { policy })
    ok(await changeSet(r1, wallet, dealt.setId, 'revoke', {}, true))
    const { answer } = await dealt.accept(peer.forward({}, true))
    expect(answer).toMatchObject(refusal(409, 'ceremony_state'))
  })

  it('only the primary device revokes it, with consent, and only a set of its own wallet', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const stranger = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
    const tablet = await commit(wallet, { purpose: 'addDevice', by: 'B1' })
    const dealt = await delegateTo(r1, wallet, server, { policy })
    const revoke = (by: Wallet, consent = true) => changeSet(r1, by, dealt.setId, 'revoke', {}, consent)
    expect(await revoke(tablet)).toMatchObject(refusal(403, 'not_enabled'))
    expect(await revoke(stranger)).toMatchObject(refusal(404, 'set_not_found'))
    expect(await revoke(wallet, false)).toMatchObject(refusal(403, 'consent_required'))
    expect((await dealt.accept()).answer.status).toBe(200)
  })

  it.each(['delegate', 'addDevice', 'replaceDevice'] as const)(
    'the primary device aborts a waiting ceremony of another key: %s',
    async purpose => {
      const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
      const tablet = await commit(wallet, { purpose: 'addDevice', by: 'B1' })
      const waiting =
        purpose === 'delegate'
          ? await delegateTo(r1, wallet, server, { policy })
          : await reshare(r1, wallet, { purpose, by: 'B1' })
      const { ceremonyId } = waiting.next
      const abort = (by: Wallet) => {
        const operation = asDevice(by, purpose === 'delegate' ? 'delegateKeyShares' : purpose)
        return ask(r1, by.user, `/wallets/${by.walletId}/reshare/abort`, { ceremonyId }, operation)
      }
      expect((await abort(tablet)).status).toBe(401)
      expect(await abort(wallet)).toMatchObject({ status: 200 })
      const answer = 'accept' in waiting ? (await waiting.accept()).answer : await waiting.commit()
      expect(answer).toMatchObject(refusal(409, 'ceremony_state'))
      await expectSigns(wallet)
    },
  )
})

describe('records of a wallet that R2 has left', () => {
  it('freeze nothing, and the wallet returns to R2', async () => {
    const wallet = await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
    const without = await commit(wallet, { purpose: 'reshare', scheme: 'TWO_OF_THREE' })
    const refreshed = await commit(without, {})
    expect(await peer.tell(refreshed.record)).toMatchObject({ status: 200 })
    const again = await commit(refreshed, { purpose: 'reshare', scheme: 'THREE_OF_FIVE' })
    await expectSigns(again)
  })
})
