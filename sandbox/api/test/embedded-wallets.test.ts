/** Tests embedded wallets as credentials: wallets in R1's signed records are listed, everything else is refused. */
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { type Answer, APP, type Kit, refused, settings, startWorld } from './client.js'
import { newRecordSigner, report } from './wallet-records.js'

const r1 = newRecordSigner()
const rotated = newRecordSigner()
const embeddedWallets = { recordKeys: [r1.jwk, rotated.jwk] }
const world = await startWorld({
  environments: {
    local: { ...settings, embeddedWallets },
    second: { ...settings, embeddedWallets },
    unpinned: settings,
  },
})
afterAll(world.stop)

interface User {
  readonly kit: Kit
  readonly id: string
}
async function signedIn(email: string): Promise<User> {
  const kit = world.kit()
  const { body } = await kit.signInByEmail(email)
  return { kit, id: body.user.id }
}
async function readWallets({ kit }: User) {
  const { body } = await kit.call('/users/me')
  return body.credentials.filter((credential: { walletName?: string }) => credential.walletName === 'dynamicWaas')
}
function refusedRecord(answer: Promise<Answer>, reason: string) {
  return refused(answer, 400, 'invalid_wallet_record', { reason })
}
function newWallet(user: User) {
  return { sub: user.id, wallet: randomUUID(), set: randomUUID(), address: `address-${randomUUID()}` }
}

describe('a wallet that R1 reports', () => {
  it('[S3.3] a reported wallet is a credential of its user, with address, chain and the name dynamicWaas', async () => {
    const ann = await signedIn('ew-ann@example.com')
    const wallet = newWallet(ann)
    expect((await report(world, r1.sign(wallet))).status).toBe(204)
    expect(await readWallets(ann)).toEqual([
      {
        id: expect.any(String),
        method: 'blockchain',
        address: wallet.address,
        chain: 'SOL',
        walletName: 'dynamicWaas',
        createdAt: expect.any(Number),
        lastUsedAt: expect.any(Number),
      },
    ])
  })
  it('lists a wallet that is reported several times only once', async () => {
    const ann = await signedIn('ew-twice@example.com')
    const record = r1.sign(newWallet(ann))
    const answers = await Promise.all([1, 2, 3].map(() => report(world, record)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(await readWallets(ann)).toHaveLength(1)
  })
  it('accepts a wallet record under every pinned key, so that R1 can rotate its key', async () => {
    const ann = await signedIn('ew-rotate@example.com')
    const wallet = newWallet(ann)
    expect((await report(world, r1.sign(wallet))).status).toBe(204)
    expect((await report(world, rotated.sign({ ...wallet, epoch: 1 }))).status).toBe(204)
  })
  it('an embedded wallet is not a sign-in method: it cannot be unlinked or count as the last credential', async () => {
    const ann = await signedIn('ew-last@example.com')
    await report(world, r1.sign(newWallet(ann)))
    const [wallet] = await readWallets(ann)
    const [email] = (await ann.kit.call('/users/me')).body.credentials
    const unlink = ({ id }: { id: string }) => ann.kit.call(`/users/me/credentials/${id}`, { method: 'DELETE' })
    await refused(unlink(wallet), 409, 'credential_is_wallet')
    await refused(unlink(email), 409, 'last_credential')
    expect(await readWallets(ann)).toHaveLength(1)
  })
  it('only the user of an embedded wallet can name it', async () => {
    const [ann, bob] = [await signedIn('ew-name-a@example.com'), await signedIn('ew-name-b@example.com')]
    await report(world, r1.sign(newWallet(ann)))
    const [wallet] = await readWallets(ann)
    const path = `/users/me/credentials/${wallet.id}`
    const named = await ann.kit.call(path, { method: 'PATCH', body: { name: 'Savings' } })
    expect(named.body).toMatchObject({ walletName: 'dynamicWaas', name: 'Savings' })
    expect((await bob.kit.call(path, { method: 'PATCH', body: { name: 'Mine' } })).status).toBe(404)
    expect(await readWallets(ann)).toMatchObject([{ name: 'Savings' }])
  })
  it('a signed record withdraws a wallet, and an old record does not restore it', async () => {
    const ann = await signedIn('ew-withdrawn@example.com')
    const wallet = newWallet(ann)
    const record = r1.sign(wallet)
    await report(world, record)
    expect((await report(world, r1.sign({ ...wallet, status: 'withdrawn', iat: 1_800_000_001 }))).status).toBe(204)
    expect(await readWallets(ann)).toEqual([])
    await refusedRecord(report(world, record), 'withdrawn')
    expect(await readWallets(ann)).toEqual([])
  })
  it('a wallet that was withdrawn before its record arrived stays unknown', async () => {
    const ann = await signedIn('ew-overtaken@example.com')
    const wallet = newWallet(ann)
    expect((await report(world, r1.sign({ ...wallet, status: 'withdrawn' }))).status).toBe(204)
    expect((await report(world, r1.sign(wallet))).status).toBe(400)
    expect(await readWallets(ann)).toEqual([])
  })
  it('a new wallet may have the address of a withdrawn wallet', async () => {
    const ann = await signedIn('ew-again@example.com')
    const first = newWallet(ann)
    await report(world, r1.sign(first))
    await report(world, r1.sign({ ...first, status: 'withdrawn' }))
    expect((await report(world, r1.sign({ ...newWallet(ann), address: first.address }))).status).toBe(204)
    expect(await readWallets(ann)).toMatchObject([{ address: first.address }])
  })
})

describe('refused wallet records', () => {
  it.each([
    ['signed with a key that is not pinned', () => newRecordSigner().sign(), 'key'],
    ['that names the pinned key but was signed with another', () => forged(), 'signature'],
    ['of another type', () => r1.sign({}, { typ: 'keybay-session+jwt' }), 'signature'],
    ['without a signature', () => `${r1.sign().split('.').slice(0, 2).join('.')}.`, 'signature'],
    ['that is no JWS', () => 'record', 'signature'],
    ['of another environment', () => r1.sign({ env: 'second' }), 'environment'],
    ['of an additional set', () => r1.sign({ kind: 'device' }), 'kind'],
    ['of R2', () => r1.sign({ iss: 'R2' }), 'claims'],
    ['with an unknown status', () => r1.sign({ status: 'paused' }), 'claims'],
    ['of a chain that is none', () => r1.sign({ chain: 'NONE' }), 'claims'],
    ['of a user that does not exist', () => r1.sign({ sub: randomUUID() }), 'user'],
  ])('refuses a wallet record %s', async (_, make, reason) => {
    await refusedRecord(report(world, make()), reason)
  })

  function forged(): string {
    const [head] = r1.sign().split('.')
    const [, body, signature] = newRecordSigner().sign().split('.')
    return [head, body, signature].join('.')
  }
  it('refuses a wallet record of a user of another environment, or in an environment without a record key', async () => {
    const ann = await signedIn('ew-env@example.com')
    const reportTo = (environmentId: string, record: string) =>
      world.kit().call('/embedded-wallets', { body: { record }, environmentId, proof: false })
    await refusedRecord(reportTo('second', r1.sign({ ...newWallet(ann), env: 'second' })), 'user')
    await refusedRecord(reportTo('unpinned', r1.sign({ env: 'unpinned' })), 'key')
  })
  it('refuses a wallet record that is older than the known record, by epoch or by time', async () => {
    const ann = await signedIn('ew-replay@example.com')
    const wallet = newWallet(ann)
    await report(world, r1.sign({ ...wallet, epoch: 2, iat: 1_800_000_100 }))
    for (const older of [
      { epoch: 1, iat: 1_800_000_200 },
      { epoch: 2, iat: 1_800_000_099 },
    ])
      expect((await report(world, r1.sign({ ...wallet, ...older }))).body.details).toEqual({ reason: 'replay' })
    // The epoch decides, because R1's clock may have been set back.
    expect((await report(world, r1.sign({ ...wallet, epoch: 3, iat: 1_800_000_000 }))).status).toBe(204)
  })
  it.each([{ address: 'another-address' }, { chain: 'EVM' }, { set: randomUUID() }])(
    'refuses a wallet record that contradicts a known wallet: %o',
    async change => {
      const ann = await signedIn('ew-changed@example.com')
      const wallet = newWallet(ann)
      await report(world, r1.sign(wallet))
      const answer = await report(world, r1.sign({ ...wallet, ...change, epoch: 1 }))
      expect(answer.body.details).toEqual({ reason: 'wallet' })
      expect((await readWallets(ann)).at(-1)).toMatchObject({ address: wallet.address, chain: 'SOL' })
    },
  )
  it('refuses a record for another user’s address or wallet: embedded_wallet_address_already_linked', async () => {
    const [ann, bob] = [await signedIn('ew-owner@example.com'), await signedIn('ew-thief@example.com')]
    const wallet = newWallet(ann)
    await report(world, r1.sign(wallet))
    for (const taken of [
      { ...newWallet(bob), address: wallet.address },
      { ...wallet, sub: bob.id, epoch: 9 },
    ])
      await refused(report(world, r1.sign(taken)), 409, 'embedded_wallet_address_already_linked')
    expect(await readWallets(ann)).toHaveLength(1)
    expect(await readWallets(bob)).toEqual([])
  })
  it('refuses a wallet record that a page sends', async () => {
    const ann = await signedIn('ew-page@example.com')
    const answer = await report(world, r1.sign(newWallet(ann)), { origin: APP })
    expect(answer.body.code).toBe('origin_not_allowed')
    expect(await readWallets(ann)).toEqual([])
  })
})

it('refuses to rename a credential to the name of an embedded wallet', async () => {
  const ann = await signedIn('ew-label@example.com')
  const [{ id }] = (await ann.kit.call('/users/me')).body.credentials
  const renaming = ann.kit.call(`/users/me/credentials/${id}`, { method: 'PATCH', body: { name: 'dynamicWaas' } })
  await refused(renaming, 400, 'invalid_request')
})

it('the public settings do not contain the record keys', async () => {
  expect((await world.kit().call('/settings')).body.embeddedWallets).not.toHaveProperty('recordKeys')
})

describe('merging', () => {
  async function twoUsers(first: string, second: string) {
    return [await signedIn(`ew-${first}@example.com`), await signedIn(`ew-${second}@example.com`)] as const
  }
  const beginMerge = async (stays: User, email: string) => {
    const { mergeId } = (await stays.kit.link(email)).body.details
    return () => stays.kit.call('/users/me/merge', { body: { mergeId } })
  }
  const wallet = [409, 'merge_accounts_invalid', { reason: 'wallet' }] as const
  it('[S11.2] refuses a merge when the account that would end has an embedded wallet, and says what to do', async () => {
    const [ann, bob] = await twoUsers('merge-a', 'merge-b')
    await report(world, r1.sign(newWallet(bob)))
    const answer = await ann.kit.link('ew-merge-b@example.com')
    await refused(answer, ...wallet)
    expect(answer.body.message).toContain('Sign in to that account and add this sign-in method there.')
    expect(await readWallets(bob)).toHaveLength(1)
  })
  it('merges into an account with an embedded wallet, which keeps its wallet', async () => {
    const [ann, bob] = await twoUsers('keeps', 'joins')
    await report(world, r1.sign(newWallet(ann)))
    expect((await (await beginMerge(ann, 'ew-joins@example.com'))()).status).toBe(200)
    expect(await readWallets(ann)).toHaveLength(1)
    expect((await bob.kit.signInByEmail('ew-joins@example.com')).body.user.id).toBe(ann.id)
    expect(await readWallets(bob)).toHaveLength(1)
  })
  it('refuses a merge when a wallet was created after the merge began', async () => {
    const [ann, bob] = await twoUsers('late-a', 'late-b')
    const merge = await beginMerge(ann, 'ew-late-b@example.com')
    await report(world, r1.sign(newWallet(bob)))
    await refused(merge(), ...wallet)
    expect(await readWallets(bob)).toHaveLength(1)
  })
  it('allows a merge once the creation of the only wallet was withdrawn', async () => {
    const [ann, bob] = await twoUsers('back-a', 'back-b')
    const withdrawn = newWallet(bob)
    await report(world, r1.sign(withdrawn))
    await report(world, r1.sign({ ...withdrawn, status: 'withdrawn' }))
    expect((await (await beginMerge(ann, 'ew-back-b@example.com'))()).status).toBe(200)
  })
  it('only one of a simultaneous merge and wallet report succeeds, and the wallet has an owner', async () => {
    for (let round = 0; round < 8; round++) {
      const [ann, bob] = await twoUsers(`at-once-a${round}`, `at-once-b${round}`)
      const merge = await beginMerge(ann, `ew-at-once-b${round}@example.com`)
      const create = () => report(world, r1.sign(newWallet(bob)))
      const answers = await Promise.all(round % 2 === 0 ? [merge(), create()] : [create(), merge()])
      const [merged, created] = round % 2 === 0 ? answers : answers.toReversed()
      expect(created?.status === 204).toBe(merged?.status !== 200)
      if (created?.status === 204) expect(await readWallets(bob)).toHaveLength(1)
      else expect(created?.body.details).toEqual({ reason: 'user' })
    }
  })
})
