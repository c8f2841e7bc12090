/** A wallet and its account stay together: R1 creates no wallet unknown to the product API, whatever fails. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiGate, type GateFault, startApiGate } from './api-gate.js'
import { ask, create, importKey, only, operationHash, reshare, sign, type Target, type Wallet } from './frame/index.js'
import { type Person, startWorld, type World } from './world.js'

const MINUTE = 60_000

function text(value: string) {
  return new TextEncoder().encode(value)
}
let gate: ApiGate
let world: World
let r1: Target
beforeAll(async () => {
  gate = await startApiGate()
  world = await startWorld({ environment: { apiUrl: gate.url } })
  gate.target = world.api.api.internalUrl
  r1 = only(world.r1)
}, 120_000)
afterEach(() => {
  gate.faults.length = 0
  world.r1.clock.reset()
  world.api.api.clock.reset()
})
afterAll(async () => {
  await world.stop()
  gate.stop()
})

async function walletsAtApi({ kit }: Pick<Person, 'kit'>): Promise<string[]> {
  const { body } = await kit.call('/users/me')
  return body.credentials
    .filter(({ walletName }: { walletName?: string }) => walletName === 'dynamicWaas')
    .map(({ address }: { address: string }) => address)
}
function list(person: Person) {
  return ask(r1, person, '/wallets/list', {}, { op: 'getWallets', hash: operationHash('getWallets') })
}
async function walletsAtR1(person: Person): Promise<string[]> {
  return (await list(person)).body.wallets.map(({ address }: { address: string }) => address)
}
async function getEmail({ kit }: Person): Promise<string> {
  return (await kit.call('/users/me')).body.email
}
/** Links an email address of another user. */
async function link({ kit }: Person, email: string) {
  const path = '/users/me/credentials/email'
  const { verificationId } = (await kit.call(path, { body: { email } })).body
  const code = world.api.getCode(await world.api.mailTo(email))
  return kit.call(`${path}/verify`, { body: { verificationId, code } })
}
async function beginMerge(into: Person, from: Person): Promise<() => ReturnType<Person['kit']['call']>> {
  const { mergeId } = (await link(into, await getEmail(from))).body.details
  return () => into.kit.call('/users/me/merge', { body: { mergeId } })
}

describe('a new wallet', () => {
  it.each([
    ['TWO_OF_TWO', 'SOL', false],
    ['TWO_OF_THREE', 'SOL', true],
    ['THREE_OF_FIVE', 'SOL', false],
    ['TWO_OF_THREE', 'EVM', true],
    ['TWO_OF_TWO', 'BTC', true],
  ] as const)('a new wallet is a credential of its user: %s of %s', async (scheme, chainName, exportable) => {
    const person = await world.person()
    const wallet = await create(r1, person, { scheme, chainName, exportable })
    const { body } = await person.kit.call('/users/me')
    expect(body.credentials[1]).toMatchObject({
      method: 'blockchain',
      walletName: 'dynamicWaas',
      chain: chainName,
      address: wallet.address,
    })
  })

  it('an imported wallet is a credential of its user', async () => {
    const person = await world.person()
    const { wallet } = await importKey(r1, person, crypto.getRandomValues(new Uint8Array(32)))
    expect(await walletsAtApi(person)).toEqual([wallet.address])
  })

  it('creates no wallet while the API is down, and the same request later creates the wallet once', async () => {
    const person = await world.person()
    gate.faults.push('away')
    const statuses: unknown[] = []
    const wallet = await create(r1, person, {
      scheme: 'THREE_OF_FIVE',
      async finish(send) {
        const refused = await send()
        statuses.push(refused.status, refused.body.code, await walletsAtR1(person), await walletsAtApi(person))
        return send()
      },
    })
    expect(statuses).toEqual([503, 'api_unavailable', [], []])
    expect(await walletsAtR1(person)).toEqual([wallet.address])
    expect(await walletsAtApi(person)).toEqual([wallet.address])
    expect((await sign(r1, wallet, text('later'))).status).toBe(200)
  })

  it('a wallet whose report reached the API but whose answer was lost is created by the same request', async () => {
    const person = await world.person()
    gate.faults.push('lost', 'lost')
    const wallet = await create(r1, person, {
      async finish(send) {
        expect((await send()).status).toBe(503)
        expect(await walletsAtApi(person)).toHaveLength(1)
        expect((await send()).status).toBe(503)
        return send()
      },
    })
    expect(await walletsAtApi(person)).toEqual([wallet.address])
    expect((await sign(r1, wallet, text('after all'))).status).toBe(200)
  })

  it('an import whose report failed or got no answer is completed by the same request', async () => {
    const person = await world.person()
    gate.faults.push('away', 'lost')
    const { answer, again, wallet } = await importKey(r1, person, crypto.getRandomValues(new Uint8Array(32)))
    expect(answer.status).toBe(503)
    expect((await again()).status).toBe(503)
    expect((await again()).status).toBe(200)
    expect((await again()).status).toBe(200)
    expect(await walletsAtApi(person)).toEqual([wallet.address])
  })

  it('two concurrent requests create a wallet once, and both succeed', async () => {
    const person = await world.person()
    const wallet = await create(r1, person, {
      async finish(send) {
        const held = gate.hold()
        const first = send()
        await held.arrived
        const second = await send()
        held.release()
        expect([second.status, (await first).status]).toEqual([200, 200])
        return second
      },
    })
    expect(await walletsAtR1(person)).toEqual([wallet.address])
    expect(await walletsAtApi(person)).toEqual([wallet.address])
  })

  it('refuses a wallet of a user whose account is being deleted, and creates the wallet once the account is kept', async () => {
    const person = await world.person()
    const email = await getEmail(person)
    const codes: unknown[] = []
    const wallet = await create(r1, person, {
      async finish(send) {
        const held = gate.hold()
        gate.faults.push('away')
        held.release()
        await send()
        await person.kit.call('/users/me', { method: 'DELETE' })
        const refused = await send()
        codes.push(refused.status, refused.body.code)
        const other = { ...person, sessionId: (await person.kit.signInByEmail(email)).body.sessionId }
        expect(await walletsAtR1(other)).toEqual([])
        await person.kit.call('/users/me/restore', { method: 'POST' })
        Object.assign(person, { sessionId: other.sessionId })
        return send()
      },
    })
    expect(codes).toEqual([409, 'account_deletion_pending'])
    expect(await walletsAtApi(person)).toEqual([wallet.address])
  })
})

describe('a creation that is abandoned after its report', () => {
  const abandon = async (person: Person) => {
    gate.faults.push('lost')
    const failed = create(r1, person, { finish: send => send() })
    await expect(failed).rejects.toThrow('api_unavailable')
  }

  it('withdraws an abandoned creation from the API once its ceremony has expired, not before', async () => {
    const person = await world.person()
    await abandon(person)
    await world.r1.sweep()
    expect(await walletsAtApi(person)).toHaveLength(1)
    world.r1.clock.advance(31 * MINUTE)
    await world.r1.sweep()
    world.r1.clock.reset()
    expect(await walletsAtApi(person)).toEqual([])
  })

  it('withdraws an abandoned creation later if the API is down, and its old record never restores the credential', async () => {
    const person = await world.person()
    await abandon(person)
    const record = gate.reported.at(-1) ?? ''
    world.r1.clock.advance(31 * MINUTE)
    // Other tests have abandoned creations too.
    const all = 20
    gate.faults.push(...Array<GateFault>(all).fill('away'))
    await world.r1.sweep()
    expect(await walletsAtApi(person)).toHaveLength(1)
    gate.faults.splice(0, all, ...Array<GateFault>(all).fill('lost'))
    await world.r1.sweep()
    gate.faults.length = 0
    await world.r1.sweep()
    world.r1.clock.reset()
    expect(await walletsAtApi(person)).toEqual([])
    const late = await person.kit.call('/embedded-wallets', { body: { record }, proof: false })
    expect(late.body).toMatchObject({ code: 'invalid_wallet_record', details: { reason: 'withdrawn' } })
  })

  it('a request after the withdrawal of an abandoned creation never creates the wallet', async () => {
    const person = await world.person()
    gate.faults.push('lost')
    const failed = create(r1, person, {
      async finish(send) {
        expect((await send()).status).toBe(503)
        world.r1.clock.advance(31 * MINUTE)
        await world.r1.sweep()
        world.r1.clock.reset()
        return send()
      },
    })
    await expect(failed).rejects.toThrow('ceremony_not_found')
    expect(await walletsAtR1(person)).toEqual([])
    expect(await walletsAtApi(person)).toEqual([])
  })

  it('withdraws an abandoned creation while its request waits for the API, and then creates nothing', async () => {
    const person = await world.person()
    const failed = create(r1, person, {
      async finish(send) {
        const held = gate.hold()
        const waiting = send()
        await held.arrived
        world.r1.clock.advance(31 * MINUTE)
        await world.r1.sweep()
        world.r1.clock.reset()
        held.release()
        return waiting
      },
    })
    await expect(failed).rejects.toThrow('ceremony_not_found')
    expect(await walletsAtR1(person)).toEqual([])
    expect(await walletsAtApi(person)).toEqual([])
  })

  it('an abandoned import does not prevent its user from importing the same key with a new request', async () => {
    const person = await world.person()
    const seed = crypto.getRandomValues(new Uint8Array(32))
    gate.faults.push('lost')
    const first = await importKey(r1, person, seed)
    expect(first.answer.status).toBe(503)
    const second = await importKey(r1, person, seed)
    expect(second.answer.status).toBe(200)
    expect(await walletsAtApi(person)).toEqual([second.wallet.address])
    expect((await first.again()).status).not.toBe(200)
    expect(await walletsAtR1(person)).toEqual([second.wallet.address])
  })
})

describe('the address of another user', () => {
  it('the address of another user is always refused and stays with its user: embedded_wallet_address_already_linked', async () => {
    const [ann, bob] = [await world.person(), await world.person()]
    const seed = crypto.getRandomValues(new Uint8Array(32))
    gate.faults.push('lost')
    // R1 has not created Ann's wallet yet, but the API already knows it as hers.
    const first = await importKey(r1, ann, seed)
    const second = await importKey(r1, bob, seed)
    expect(second.answer).toMatchObject({ status: 409, body: { code: 'embedded_wallet_address_already_linked' } })
    expect((await first.again()).status).toBe(200)
    expect(await walletsAtApi(ann)).toEqual([first.wallet.address])
    expect(await walletsAtApi(bob)).toEqual([])
  })
})

describe('merging', () => {
  async function expectWhole(wallet: Wallet) {
    expect(await walletsAtR1(wallet.person)).toContain(wallet.address)
    expect(await walletsAtApi(wallet.person)).toContain(wallet.address)
    expect((await sign(r1, wallet, text('whole'))).status).toBe(200)
  }

  it('a merge does not end an account that has a wallet', async () => {
    const [ann, bob] = [await world.person(), await world.person()]
    const wallet = await create(r1, bob, { scheme: 'TWO_OF_THREE', exportable: true })
    const refused = await link(ann, await getEmail(bob))
    expect(refused.body).toMatchObject({ code: 'merge_accounts_invalid', details: { reason: 'wallet' } })
    await expectWhole(wallet)
  })

  it('a merge keeps the wallets, devices and share sets of the remaining account', async () => {
    const [ann, bob] = [await world.person(), await world.person()]
    const wallet = await create(r1, ann, { scheme: 'THREE_OF_FIVE' })
    const joined = await reshare(r1, wallet, { purpose: 'addDevice', by: 'B1' })
    const second = joined.after(wallet, await joined.commit())
    const email = await getEmail(bob)
    expect((await (await beginMerge(ann, bob))()).status).toBe(200)
    await expectWhole(wallet)
    expect((await sign(r1, second, text('device'))).status).toBe(200)
    const refreshed = await reshare(r1, wallet)
    await expectWhole(refreshed.after(wallet, await refreshed.commit()))
    // The other sign-in method opens the same wallets.
    const again = await world.person(email)
    expect(again.userId).toBe(ann.userId)
    expect(await walletsAtR1(again)).toEqual([wallet.address])
  })

  it('a merge before the report of a creation succeeds, and ends the creation', async () => {
    const [ann, bob] = [await world.person(), await world.person()]
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
    expect(await walletsAtR1(ann)).toEqual([])
    expect(await walletsAtApi(ann)).toEqual([])
  })

  it('a merge after the report of a creation is refused, even before R1 has created the wallet', async () => {
    const [ann, bob] = [await world.person(), await world.person()]
    const merge = await beginMerge(ann, bob)
    const wallet = await create(r1, bob, {
      async finish(send) {
        const held = gate.hold()
        const waiting = send()
        await held.arrived
        expect((await merge()).body.details).toEqual({ reason: 'wallet' })
        held.release()
        return waiting
      },
    })
    await expectWhole(wallet)
    expect((await bob.kit.call('/users/me')).status).toBe(200)
  })

  it('a merge and a creation at the same moment leave the wallet with a single account', async () => {
    for (let round = 0; round < 4; round++) {
      const [ann, bob] = [await world.person(), await world.person()]
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
    const person = await world.person()
    const wallet = await create(r1, person)
    const before = gate.reported.length
    expect(await walletsAtR1(person)).toEqual([wallet.address])
    expect(await walletsAtR1(person)).toEqual([wallet.address])
    expect(gate.reported.slice(before)).toEqual([wallet.record])
    expect(await walletsAtApi(person)).toEqual([wallet.address])
  })

  it('lists wallets while the API accepts no reports', async () => {
    const person = await world.person()
    const wallet = await create(r1, person)
    gate.faults.push('away')
    expect(await walletsAtR1(person)).toEqual([wallet.address])
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
    const wallet = await create(r1, await world.person())
    expect(await walletsAtApi(wallet.person)).toEqual([])
    return wallet
  }

  it('the daily report gives a restored API the wallet of an absent owner, so that no merge takes the owner', async () => {
    const ann = await world.person()
    const wallet = await forgottenWallet()
    await nextReport()
    const refused = await link(ann, await getEmail(wallet.person))
    expect(refused.body).toMatchObject({ code: 'merge_accounts_invalid', details: { reason: 'wallet' } })
    expect(await walletsAtApi(wallet.person)).toEqual([wallet.address])
    world.r1.clock.reset()
    expect((await sign(r1, wallet, text('still whole'))).status).toBe(200)
  })

  it('the daily report continues with the next sweep if the API was down, and completes once a day', async () => {
    const wallet = await forgottenWallet()
    gate.faults.push('away')
    const before = gate.reported.length
    await nextReport()
    expect(gate.reported).toHaveLength(before + 1)
    await world.r1.sweep()
    expect(await walletsAtApi(wallet.person)).toEqual([wallet.address])
    const after = gate.reported.length
    await world.r1.sweep()
    expect(gate.reported).toHaveLength(after)
  })

  it('the daily report continues past a wallet that the API refuses', async () => {
    const leaving = await create(r1, await world.person())
    await leaving.person.kit.call('/users/me', { method: 'DELETE' })
    const wallets = [await forgottenWallet(), await forgottenWallet()]
    await nextReport()
    for (const { person, address } of wallets) expect(await walletsAtApi(person)).toEqual([address])
  })
})
