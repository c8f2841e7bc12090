/** A script in the host's page signs in elsewhere as the user: both relays refuse without the user's consent. */
import { Keypair, PublicKey, TransactionInstruction, TransactionMessage } from '@solana/web3.js'
import { afterAll, expect, it } from 'vitest'
import {
  askAlone,
  changeSet,
  create,
  delegateTo,
  newDelegate,
  ok,
  only,
  refusal,
  sign,
  text,
  type Wallet,
} from './frame/index.js'
import { APP, startWorld } from './world.js'

const HOST = new URL(APP).host
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const policy = { programs: [{ programId: MEMO.toBase58() }], messages: true }
const server = newDelegate()
const world = await startWorld({ environment: { delegates: [server.listed] } })
const r1 = only(world.r1)
afterAll(() => world.stop())

function signIn({ address }: Wallet, host: string, uri = `http://${host}`): string {
  const head = `${host} wants you to sign in with your Solana account:\n${address}`
  return `${head}\n\nSign in.\n\nURI: ${uri}\nVersion: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00.000Z`
}

/** The same text in a transaction that no chain accepts, which services take from wallets without messages. */
function inMemo({ address }: Wallet, memo: string): Uint8Array {
  const payerKey = new PublicKey(address)
  const instructions = [new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(memo) })]
  const recentBlockhash = Keypair.generate().publicKey.toBase58()
  const message = new TransactionMessage({ payerKey, recentBlockhash, instructions })
  return new Uint8Array(message.compileToLegacyMessage().serialize())
}

it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
  'refuses a sign-in at another site unless the user agreed, for a %s wallet',
  async scheme => {
    const wallet = await create(r1, await world.user(), { scheme })
    const elsewhere = text(signIn(wallet, 'market.example'))
    const refused = refusal(403, 'consent_required', { rule: 'sign-in' })
    expect(await sign(r1, wallet, elsewhere, { consent: false })).toMatchObject(refused)
    const memo = inMemo(wallet, signIn(wallet, 'market.example'))
    expect(await sign(r1, wallet, memo, { kind: 'transaction', consent: false })).toMatchObject(refused)
    expect(ok(await sign(r1, wallet, elsewhere, { consent: true }))).toHaveProperty('answers')
    expect(ok(await sign(r1, wallet, memo, { kind: 'transaction', consent: true }))).toHaveProperty('answers')
    expect(ok(await sign(r1, wallet, text(signIn(wallet, HOST))))).toHaveProperty('answers')
    const own = inMemo(wallet, signIn(wallet, HOST))
    expect(ok(await sign(r1, wallet, own, { kind: 'transaction' }))).toHaveProperty('answers')
  },
)

it('refuses an off-chain message for another application unless the user agreed', async () => {
  const wallet = await create(r1, await world.user())
  const head = [0xff, ...text('solana offchain'), 0, ...new Uint8Array(32).fill(5), 0, 1]
  const message = Uint8Array.of(...head, ...new PublicKey(wallet.address).toBytes(), 2, 0, ...text('hi'))
  expect(await sign(r1, wallet, message, { consent: false })).toMatchObject(refusal(403, 'consent_required'))
  expect(ok(await sign(r1, wallet, message, { consent: true }))).toHaveProperty('answers')
})

it('refuses a sign-in at another site under a policy that allows messages, and to a delegate whatever it claims', async () => {
  const wallet = await create(r1, await world.user())
  ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy }, true))
  const elsewhere = text(signIn(wallet, 'market.example'))
  expect(await sign(r1, wallet, elsewhere, { consent: false })).toMatchObject(refusal(403, 'consent_required'))
  expect(ok(await sign(r1, wallet, elsewhere, { consent: true }))).toHaveProperty('answers')
  const { accept } = await delegateTo(r1, wallet, server, { policy })
  const { own: delegate } = await accept()
  expect(ok(await sign(r1, delegate, text('hi'), { by: askAlone }))).toHaveProperty('answers')
  for (const consent of [false, true])
    expect(await sign(r1, delegate, elsewhere, { by: askAlone, consent })).toMatchObject(refusal(403, 'policy_refused'))
})
