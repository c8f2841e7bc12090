/** EVM accounts: another implementation verifies their signatures; also the cases where a relay releases no share. */
import { readEvmTransaction } from '@keybay/waas/evm'
import { eip191Signer, recoverAddressTyped, Transaction } from 'micro-eth-signer'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Asked,
  asDevice,
  ask,
  b64,
  changeSet,
  create,
  delegateTo,
  list,
  newDelegate,
  only,
  readAudit,
  refusal,
  reshare,
  sha256,
  sign,
  signEvm,
  text,
  type Wallet,
} from './frame/index.js'
import { startWorld } from './world.js'

const MAIL = {
  types: {
    Contact: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Contact' },
      { name: 'to', type: 'Contact' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', version: '1', chainId: 1 },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
} as const

const TYPED = text(JSON.stringify(MAIL))

function hex(bytes: Uint8Array | undefined): string {
  return `0x${Buffer.from(bytes ?? []).toString('hex')}`
}
const transfer = Transaction.prepare({
  to: '0x3535353535353535353535353535353535353535',
  value: 10n ** 18n,
  nonce: 9n,
  maxFeePerGas: 20n * 10n ** 9n,
  chainId: 11_155_111n,
})

const evm = { chainName: 'EVM' } as const
const server = newDelegate()
const world = await startWorld({ environment: { delegates: [server.listed] } })
const r1 = only(world.r1)
const user = await world.user()
const wallet = await create(r1, user, evm)
afterAll(() => world.stop())

/** Signs the typed data, or other content as typed data. */
function signTyped(signer: Wallet = wallet, options: Partial<Asked> & { body?: object } = {}, content = TYPED) {
  return signEvm(r1, signer, content, { kind: 'typedData', ...options })
}

function expectSigned(signature: Uint8Array | undefined, { address }: Wallet) {
  expect(recoverAddressTyped(hex(signature), structuredClone(MAIL))).toBe(address)
}

describe('an EVM account', () => {
  it.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'an EVM account of %s signs typed data',
    async scheme => {
      const made = await create(r1, user, { ...evm, scheme })
      const { signature } = await signTyped(made)
      expectSigned(signature, made)
    },
  )

  it('an EVM account signs a message and a transaction that another implementation reads', async () => {
    const { signature } = await signEvm(r1, wallet, text('Grüße'))
    expect(eip191Signer.recoverAddress(hex(signature), 'Grüße')).toBe(wallet.address)
    const unsigned = transfer.toBytes({ includeSignature: false })
    const answer = await signEvm(r1, wallet, unsigned, { kind: 'transaction' })
    const signed = Transaction.fromBytes(
      readEvmTransaction(unsigned).withSignature(answer.signature ?? new Uint8Array()),
    )
    expect(signed.sender).toBe(wallet.address)
    expect(signed.toHex({ includeSignature: false })).toBe(hex(unsigned))
  })

  it('an EVM account is listed with its chain, and its audit record holds only hashes of what the account signed', async () => {
    const wallets = await list(r1, user)
    expect(wallets.find(({ walletId }: Wallet) => walletId === wallet.walletId)).toMatchObject({
      address: wallet.address,
      chainName: 'EVM',
      origin: 'dkg',
      exportable: true,
    })
    await signEvm(r1, wallet, text('not for the record'))
    const { entry } = (await readAudit(r1, wallet)).entries.at(-1)
    expect(JSON.parse(entry)).toMatchObject({ what: 'signed', kind: 'message', hash: sha256('not for the record') })
    expect(entry).not.toContain('not for the record')
  })

  it('an EVM account keeps its address after a resharing, and its old shares no longer sign', async () => {
    const old = await create(r1, user, { ...evm, scheme: 'TWO_OF_THREE' })
    const resharing = await reshare(r1, old)
    const fresh = resharing.after(old, await resharing.commit())
    const { signature } = await signTyped(fresh)
    expectSigned(signature, old)
    expect(await signTyped(old)).toMatchObject(refusal(409, 'epoch_mismatch'))
  })
})

describe('no share is released', () => {
  const ALTERED = text(JSON.stringify({ ...MAIL, message: { ...MAIL.message, contents: 'All yours, Bob!' } }))
  const hash = sha256(TYPED)

  it('releases no share for typed data that was altered between host and relay', async () => {
    // The frame changed the content and signs the changed content; the page's session key signed the original.
    const lied = await signTyped(wallet, { session: { hash } }, ALTERED)
    expect(lied).toMatchObject(refusal(401, 'invalid_session_signature', { reason: 'operation' }))
  })

  it('releases no share for a hash that does not match the content, whichever key signed the hash', async () => {
    const lied = await signTyped(wallet, { hash }, ALTERED)
    expect(lied).toMatchObject(refusal(401, 'invalid_session_signature'))
    const device = await signTyped(wallet, { claims: { hash } }, ALTERED)
    expect(device).toMatchObject(refusal(401, 'invalid_device_signature', { reason: 'operation' }))
  })

  it('releases no share for typed data that is labeled as a message', async () => {
    const asMessage = await signTyped(wallet, { op: 'signMessage' })
    expect(asMessage).toMatchObject(refusal(401, 'invalid_session_signature'))
  })

  it('releases no share twice for the same request', async () => {
    const claims = { jti: 'the-same-one-again-1' }
    expect((await signTyped(wallet, { claims })).status).toBe(200)
    const again = await signTyped(wallet, { claims })
    expect(again).toMatchObject(refusal(401, 'invalid_device_signature', { reason: 'replay' }))
  })

  it('releases no share without the user’s consent, or for a page that did not send the request', async () => {
    expect(await signTyped(wallet, { consent: false })).toMatchObject(
      refusal(403, 'consent_required', { rule: 'reconstructed' }),
    )
    expect(await signTyped(wallet, { body: { hostOrigin: 'http://evil.localhost' } })).toMatchObject(
      refusal(400, 'invalid_request', { reason: 'hostOrigin' }),
    )
  })

  it('releases no share to another user, with their own device key or with none', async () => {
    const other = await world.user()
    const otherWallet = await create(r1, other, evm)
    const stolen = { ...wallet, user: other }
    expect(await signTyped(stolen)).toMatchObject(refusal(404, 'wallet_not_found'))
    expect(await signTyped({ ...wallet, device: otherWallet.device })).toMatchObject(
      refusal(401, 'invalid_device_signature', { reason: 'signature' }),
    )
    expect((await signTyped(wallet, { claims: false })).status).toBe(401)
    expect((await signTyped(wallet, { session: false })).status).toBe(401)
  })

  it.each([
    ['typed data that is none', 'typedData', text('{}')],
    ['typed data that is no text', 'typedData', Uint8Array.of(0xff, 0xfe)],
    ['a transaction that is signed', 'transaction', transfer.signBy(`0x${'46'.repeat(32)}`).toBytes()],
    [
      'a transaction for every chain',
      'transaction',
      Buffer.from('e9098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080', 'hex'),
    ],
  ] as const)('releases no share for %s', async (_, kind, content) => {
    expect(await signEvm(r1, wallet, content, { kind })).toMatchObject(
      refusal(400, 'invalid_request', { reason: 'content' }),
    )
  })

  it('a released share opens only for the content that the relay released the share for', async () => {
    const answer = await signTyped()
    expect(() => answer.open(sha256(ALTERED))).toThrow('Sealed for another recipient')
    expect(() => answer.open(undefined)).toThrow('Sealed for another recipient')
  })

  it('refuses a Solana wallet on the EVM signing route, and an EVM account on the Solana route', async () => {
    const solana = await create(r1, user)
    expect(await signTyped(solana)).toMatchObject({ status: 400, body: { details: { reason: 'chain' } } })
    const message = text('hello')
    const onSolana = { kind: 'message', setId: wallet.setId, message: b64(message), commitment: 'AA' }
    const operation = asDevice(wallet, 'signMessage', { hash: sha256(message), signers: ['C', 'R1'], consent: true })
    expect(await ask(r1, user, `/wallets/${wallet.walletId}/sign`, onSolana, operation)).toMatchObject({
      status: 400,
      body: { details: { reason: 'chain' } },
    })
    expect((await sign(r1, solana, message)).status).toBe(200)
  })
})

it('an EVM account accepts neither a policy nor a delegate', async () => {
  const policy = { programs: [], messages: true }
  expect(await changeSet(r1, wallet, wallet.setId, 'policy', { policy }, true)).toMatchObject({
    status: 403,
    body: {
      code: 'policy_unsupported',
      message: 'This account takes no policy: each of its signatures needs the user’s consent.',
      details: { chainName: 'EVM', signing: 'reconstructed' },
    },
  })
  const { begun } = await delegateTo(r1, wallet, server, { policy })
  expect(begun).toMatchObject(refusal(403, 'policy_unsupported'))
})

it('an EVM signature requires the user’s second factor, whose token covers only that content', async () => {
  const mara = await world.user()
  const hers = await create(r1, mara, { ...evm, scheme: 'THREE_OF_FIVE' })
  const factor = await world.enrol(mara)
  const demanded = await signTyped(hers)
  expect(demanded).toMatchObject(refusal(403, 'mfa_required', { action: 'wallet.waas.sign' }))
  const mfaToken = await world.tokenFor(mara, demanded.body.details, factor)
  const { signature } = await signTyped(hers, { mfaToken })
  expectSigned(signature, hers)
  expect((await signTyped(hers, { mfaToken })).status).toBe(403)
})
