/** A wallet and its account stay together: R1 creates no wallet unknown to the product API, whatever fails. */
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startRelay } from '../src/index.js'
import { type GateFault, startApiGate } from './api-gate.js'
import { type Answer, create, importKey, list, newSeed, only, reshare, sign, text, type Wallet } from './frame/index.js'
import { startWorld, type User, type World } from './world.js'

const MINUTE = 60_000

const gate = await startApiGate()
const world = await startWorld({ environment: { apiUrl: gate.url } })
gate.target = world.api.api.internalUrl
const r1 = only(world.r1)
afterEach(() => {
  gate.faults.length = 0
  world.r1.clock.reset()
  world.api.api.clock.reset()
})
afterAll(async () => {
  await world.stop()
  gate.stop()
})

async function walletsAtApi({ kit }: Pick<User, 'kit'>): Promise<string[]> {
  const { body } = await kit.call('/users/me')
  return body.credentials
    .filter(({ walletName }: { walletName?: string }) => walletName === 'dynamicWaas')
    .map(({ address }: { address: string }) => address)
}
async function walletsAtR1(user: User): Promise<string[]> {
  return (await list(r1, user)).map(({ address }) => address)
}
/** Expects the user to have exactly these wallets, at both R1 and the API. */
async function expectWallets(user: User, ...wallets: readonly Wallet[]) {
  const addresses = wallets.map(({ address }) => address)
  expect(await walletsAtR1(user)).toEqual(addresses)
  expect(await walletsAtApi(user)).toEqual(addresses)
}
async function expectSigns(wallet: Wallet) {
  expect((await sign(r1, wallet, text('whole'))).status).toBe(200)
}
/** Sends a request, and does something else after its report, before R1 has the API's response. */
async function whileHeld(send: () => Promise<Answer>, act: () => Promise<unknown>): Promise<Answer> {
  const held = gate.hold()
  const waiting = send()
  await held.arrived
  await act()
  held.release()
  return waiting
}
/** Lets the ceremonies of abandoned creations expire. */
async function expire() {
  world.r1.clock.advance(31 * MINUTE)
  await world.r1.sweep()
  world.r1.clock.reset()
}

async function getEmail({ kit }: User): Promise<string> {
  return (await kit.call('/users/me')).body.email
}
/** Links an email address of another user. */
async function link({ kit }: User, email: string, { api }: Pick<World, 'api'> = world) {
  const path = '/users/me/credentials/email'
  const { verificationId } = (await kit.call(path, { body: { email } })).body
  const code = await api.codeTo(email)
  return kit.call(`${path}/verify`, { body: { verificationId, code } })
}
async function beginMerge(into: User, from: User, at?: World): Promise<() => ReturnType<User['kit']['call']>> {
  const { mergeId } = (await link(into, await getEmail(from), at)).body.details
  return () => into.kit.call('/users/me/merge', { body: { mergeId } })
}
const mergeRefused = { code: 'merge_accounts_invalid', details: { reason: 'wallet' } }

describe('a new wallet', () => {
  it.each([
    ['TWO_OF_TWO', 'SOL', false],
    ['TWO_OF_THREE', 'SOL', true],
    ['THREE_OF_FIVE', 'SOL', false],
    ['TWO_OF_THREE', 'EVM', true],
    ['TWO_OF_TWO', 'BTC', true],
  ] as const)('a new wallet is a credential of its user: %s of %s', async (scheme, chain, exportable) => {
    const user = await world.user()
    const { address } = await create(r1, user, { scheme, chainName: chain, exportable })
    const { body } = await user.kit.call('/users/me')
    expect(body.credentials[1]).toMatchObject({ method: 'blockchain', walletName: 'dynamicWaas', chain, address })
  })

  it('an imported wallet is a credential of its user', async () => {
    const user = await world.user()
    const { wallet } = await importKey(r1, user, newSeed())
    expect(await walletsAtApi(user)).toEqual([wallet.address])
  })

  it('creates no wallet while the API is down, and the same request later creates the wallet once', async () => {
    const user = await world.user()
    gate.faults.push('away')
    const wallet = await create(r1, user, {
      scheme: 'THREE_OF_FIVE',
      async finish(send) {
        expect(await send()).toMatchObject({ status: 503, body: { code: 'api_unavailable' } })
        await expectWallets(user)
        return send()
      },
    })
    await expectWallets(user, wallet)
    await expectSigns(wallet)
  })

  it('a wallet whose report reached the API but whose answer was lost is created by the same request', async () => {
    const user = await world.user()
    gate.faults.push('lost', 'lost')
    const wallet = await create(r1, user, {
      async finish(send) {
        expect((await send()).status).toBe(503)
        expect(await walletsAtApi(user)).toHaveLength(1)
        expect((await send()).status).toBe(503)
        return send()
      },
    })
    expect(await walletsAtApi(user)).toEqual([wallet.address])
    await expectSigns(wallet)
  })

  it('an import whose report failed or got no answer is completed by the same request', async () => {
    const user = await world.user()
    gate.faults.push('away', 'lost')
    const { answer, again, wallet } = await importKey(r1, user, newSeed())
    const statuses = [answer.status]
    for (let repeat = 0; repeat < 3; repeat++) statuses.push((await again()).status)
    expect(statuses).toEqual([503, 503, 200, 200])
    expect(await walletsAtApi(user)).toEqual([wallet.address])
  })

  it('two concurrent requests create a wallet once, and both succeed', async () => {
    const user = await world.user()
    const wallet = await create(r1, user, {
      finish: send => whileHeld(send, async () => expect((await send()).status).toBe(200)),
    })
    await expectWallets(user, wallet)
  })

  it('refuses a wallet of a user whose account is being deleted, and creates the wallet once the account is kept', async () => {
    const user = await world.user()
    const email = await getEmail(user)
    const wallet = await create(r1, user, {
      async finish(send) {
        gate.faults.push('away')
        await send()
        await user.kit.call('/users/me', { method: 'DELETE' })
        expect(await send()).toMatchObject({ status: 409, body: { code: 'account_deletion_pending' } })
        const { sessionId } = (await user.kit.signInByEmail(email)).body
        Object.assign(user, { sessionId })
        expect(await walletsAtR1(user)).toEqual([])
        await user.kit.call('/users/me/restore', { method: 'POST' })
        return send()
      },
    })
    expect(await walletsAtApi(user)).toEqual([wallet.address])
  })
})

describe('a creation that is abandoned after its report', () => {
  const abandon = async (user: User) => {
    gate.faults.push('lost')
    await expect(create(r1, user, { finish: send => send() })).rejects.toThrow('api_unavailable')
  }

  it('withdraws an abandoned creation from the API once its ceremony has expired, not before', async () => {
    const user = await world.user()
    await abandon(user)
    await world.r1.sweep()
    expect(await walletsAtApi(user)).toHaveLength(1)
    await expire()
    expect(await walletsAtApi(user)).toEqual([])
  })

  it('withdraws an abandoned creation later if the API is down, and its old record never restores the credential', async () => {
    const user = await world.user()
    await abandon(user)
    const record = gate.reported.at(-1) ?? ''
    world.r1.clock.advance(31 * MINUTE)
    // Other tests have abandoned creations too.
    const all = 20
    gate.faults.push(...Array<GateFault>(all).fill('away'))
    await world.r1.sweep()
    expect(await walletsAtApi(user)).toHaveLength(1)
    gate.faults.splice(0, all, ...Array<GateFault>(all).fill('lost'))
    await world.r1.sweep()
    gate.faults.length = 0
    await world.r1.sweep()
    world.r1.clock.reset()
    expect(await walletsAtApi(user)).toEqual([])
    const late = await user.kit.call('/embedded-wallets', { body: { record }, proof: false })
    expect(late.body).toMatchObject({ code: 'invalid_wallet_record', details: { reason: 'withdrawn' } })
  })

  it.each<[string, (send: () => Promise<Answer>) => Promise<Answer>]>([
    [
      'a request after the withdrawal of an abandoned creation never creates the wallet',
      async send => {
        gate.faults.push('lost')
        expect((await send()).status).toBe(503)
        await expire()
        return send()
      },
    ],
    [
      'withdraws an abandoned creation while its request waits for the API, and then creates nothing',
      send => whileHeld(send, expire),
    ],
  ])('%s', async (_, finish) => {
    const user = await world.user()
    await expect(create(r1, user, { finish })).rejects.toThrow('ceremony_not_found')
    await expectWallets(user)
  })

  it('an abandoned import does not prevent its user from importing the same key with a new request', async () => {
    const user = await world.user()
    const seed = newSeed()
    gate.faults.push('lost')
    const first = await importKey(r1, user, seed)
    expect(first.answer.status).toBe(503)
    const second = await importKey(r1, user, seed)
    expect(second.answer.status).toBe(200)
    expect((await first.again()).status).not.toBe(200)
    await expectWallets(user, second.wallet)
  })
})

it('the address of another user is always refused and stays with its user: embedded_wallet_address_already_linked', async () => {
  const [ann, bob] = [await world.user(), await world.user()]
  const seed = newSeed()
  gate.faults.push('lost')
  // R1 has not created Ann's wallet yet, but the API already knows it as hers.
  const first = await importKey(r1, ann, seed)
  const second = await importKey(r1, bob, seed)
  expect(second.answer).toMatchObject({ status: 409, body: { code: 'embedded_wallet_address_already_linked' } })
  expect((await first.again()).status).toBe(200)
  expect(await walletsAtApi(ann)).toEqual([first.wallet.address])
  expect(await walletsAtApi(bob)).toEqual([])
})

describe('merging', () => {
  async function expectWhole(wallet: Wallet) {
    await expectWallets(wallet.user, wallet)
    await expectSigns(wallet)
  }

  it('a merge does not end an account that has a wallet', async () => {
    const [ann, bob] = [await world.user(), await world.user()]
    const wallet = await create(r1, bob, { scheme: 'TWO_OF_THREE', exportable: true })
    expect((await link(ann, await getEmail(bob))).body).toMatchObject(mergeRefused)
    await expectWhole(wallet)
  })

  it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'a merge does not end an account whose %s wallet only the relays know',
    async scheme => {
      const [ann, bob] = [await world.user(), await world.user()]
      gate.faults.push('forgotten')
      const wallet = await create(r1, bob, { scheme })
      expect(await walletsAtApi(bob)).toEqual([])
      const merge = await beginMerge(ann, bob)
      for (let round = 0; round < 2; round++) expect(await merge()).toMatchObject({ status: 409, body: mergeRefused })
      expect((await bob.kit.call('/users/me')).body).toMatchObject({ id: bob.userId })
      await expectSigns(wallet)
    },
  )

  it('[S11.2] a merge while a relay is away changes nothing, names the relay, and succeeds once the relay is back', async () => {
    const dataDir = temporaryFolder()
    const late = await startWorld({ r1: { dataDir } })
    const [ann, bob] = [await late.user(), await late.user()]
    const merge = await beginMerge(ann, bob, late)
    await late.r1.stop()
    const away = { code: 'service_unavailable', details: { service: late.r1.internalUrl } }
    for (let round = 0; round < 2; round++) expect(await merge()).toMatchObject({ status: 503, body: away })
    for (const { kit, userId } of [ann, bob])
      expect((await kit.call('/users/me')).body).toMatchObject({ id: userId, credentials: [{ method: 'email' }] })
    const { port } = late.r1
    const back = await startRelay({
      mode: 'sandbox',
      port,
      dataDir,
      environments: late.environments,
      peerUrl: late.r2.internalUrl,
    })
    await late.settled()
    expect((await merge()).body).toMatchObject({ user: { credentials: [{ method: 'email' }, { method: 'email' }] } })
    expect((await merge()).body.code).toBe('merge_accounts_invalid')
    await back.stop()
    await late.r2.stop()
    await late.api.stop()
  })

  it('a merge keeps the wallets, devices and share sets of the remaining account', async () => {
    const [ann, bob] = [await world.user(), await world.user()]
    const wallet = await create(r1, ann, { scheme: 'THREE_OF_FIVE' })
    const joined = await reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
    const second = joined.after(wallet, await joined.commit())
    const email = await getEmail(bob)
    expect((await (await beginMerge(ann, bob))()).status).toBe(200)
    await expectWhole(wallet)
    await expectSigns(second)
    const refreshed = await reshare(r1, wallet)
    await expectWhole(refreshed.after(wallet, await refreshed.commit()))
    // The other sign-in method opens the same wallets.
    const again = await world.user(email)
    expect(again.userId).toBe(ann.userId)
    expect(await walletsAtR1(again)).toEqual([wallet.address])
  })

  it('a merge before the report of a creation succeeds, and ends the creation', async () => {
    const [ann, bob] = [await world.user(), await world.user()]
    const merge = await beginMerge(ann, bob)
    const failed = create(r1, bob, {
      async finish(send) {
        gate.faults.push('away')
        await send()
        expect((await merge()).status).toBe(200)
        return send()
      },
    })
    await expect(failed).rejects.toThrow('session_expired')
    await expectWallets(ann)
  })

  it('a merge after the report of a creation is refused, even before R1 has created the wallet', async () => {
    const [ann, bob] = [await world.user(), await world.user()]
    const merge = await beginMerge(ann, bob)
    const wallet = await create(r1, bob, {
      finish: send => whileHeld(send, async () => expect((await merge()).body.details).toEqual({ reason: 'wallet' })),
    })
    await expectWhole(wallet)
    expect((await bob.kit.call('/users/me')).status).toBe(200)
  })

  it('a merge and a creation at the same moment leave the wallet with a single account', async () => {
    for (let round = 0; round < 4; round++) {
      const [ann, bob] = [await world.user(), await world.user()]
      const merge = await beginMerge(ann, bob)
      let merged = 0
      const outcome = await create(r1, bob, {
        async finish(send) {
          const [answer, { status }] = await Promise.all([send(), merge()])
          merged = status
          return answer
        },
      }).catch((error: unknown) => String(error))
      if (typeof outcome === 'string') {
        expect([merged, outcome]).toEqual([200, expect.stringContaining('session_expired')])
        expect(await walletsAtApi(ann)).toEqual([])
      } else {
        expect(merged).toBe(409)
        await expectWhole(outcome)
      }
    }
  })
})

describe('listing', () => {
  it('listing reports wallets that the API does not know, as after a restore of the API’s database', async () => {
    const user = await world.user()
    const wallet = await create(r1, user)
    const before = gate.reported.length
    expect(await walletsAtR1(user)).toEqual([wallet.address])
    await expectWallets(user, wallet)
    expect(gate.reported.slice(before)).toEqual([wallet.record])
  })

  it('lists wallets while the API accepts no reports', async () => {
    const user = await world.user()
    const wallet = await create(r1, user)
    gate.faults.push('away')
    expect(await walletsAtR1(user)).toEqual([wallet.address])
  })
})

describe('the daily report', () => {
  const DAY = 24 * 60 * MINUTE
  let days = 0
  async function nextReport() {
    days += 2
    world.r1.clock.advance(days * DAY)
    await world.r1.sweep()
  }
  async function forgottenWallet(): Promise<Wallet> {
    gate.faults.push('forgotten')
    const wallet = await create(r1, await world.user())
    expect(await walletsAtApi(wallet.user)).toEqual([])
    return wallet
  }

  it('the daily report gives a restored API the wallet of an absent owner, so that no merge takes the owner', async () => {
    const ann = await world.user()
    const wallet = await forgottenWallet()
    await nextReport()
    expect((await link(ann, await getEmail(wallet.user))).body).toMatchObject(mergeRefused)
    expect(await walletsAtApi(wallet.user)).toEqual([wallet.address])
    world.r1.clock.reset()
    await expectSigns(wallet)
  })

  it('the daily report continues with the next sweep if the API was down, and completes once a day', async () => {
    const wallet = await forgottenWallet()
    gate.faults.push('away')
    const before = gate.reported.length
    await nextReport()
    expect(gate.reported).toHaveLength(before + 1)
    await world.r1.sweep()
    expect(await walletsAtApi(wallet.user)).toEqual([wallet.address])
    const after = gate.reported.length
    await world.r1.sweep()
    expect(gate.reported).toHaveLength(after)
  })

  it('the daily report continues past a wallet that the API refuses', async () => {
    const leaving = await create(r1, await world.user())
    await leaving.user.kit.call('/users/me', { method: 'DELETE' })
    const wallets = [await forgottenWallet(), await forgottenWallet()]
    await nextReport()
    for (const { user, address } of wallets) expect(await walletsAtApi(user)).toEqual([address])
  })
})
