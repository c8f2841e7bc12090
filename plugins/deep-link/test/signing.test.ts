// @vitest-environment happy-dom
import { WALLET_ERROR_CODES } from '@keybay/kernel/spec'
import { fakeClock } from '@keybay/kernel/testing'
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { type DeepLinkSigning, isDeepLinkResult } from '../src/index.js'
import { connected, openWith, type Page, setUpWorld, transfer, until, type WalletId } from './support.js'

const { MESSAGE_SIGNATURE_DENIED, USER_REJECTED } = WALLET_ERROR_CODES
const world = setUpWorld()
const WALLETS: readonly WalletId[] = ['deep-link:phantom', 'deep-link:solflare']
const MESSAGE = new TextEncoder().encode('Ünïcode, and a line\nmore')

function request(page: Page, id: WalletId, method: DeepLinkSigning) {
  const { features } = page.wallet(id).wallet
  const account = page.account(id)
  const chain = 'solana:mainnet'
  const transaction = transfer(Uint8Array.from(account.publicKey), 1)
  if (method === 'signMessage') return features['solana:signMessage'].signMessage({ account, message: MESSAGE })
  if (method === 'signTransaction') return features['solana:signTransaction'].signTransaction({ account, transaction })
  if (method === 'signAllTransactions')
    return features['solana:signTransaction'].signTransaction(
      { account, transaction, chain },
      { account, transaction: transfer(Uint8Array.from(account.publicKey), 2) },
    )
  return features['solana:signAndSendTransaction'].signAndSendTransaction({ account, transaction, chain })
}

async function leaveToSign(page: Page, id: WalletId, method: DeepLinkSigning) {
  const before = world.phone.visits.length
  request(page, id, method).catch(() => {}) // its page is gone by then
  await until(() => world.phone.visits.length > before)
}
const METHODS: readonly DeepLinkSigning[] = [
  'signMessage',
  'signTransaction',
  'signAllTransactions',
  'signAndSendTransaction',
]

describe.each(WALLETS)('signing with %s', id => {
  it.each(METHODS)('[S2.7] [S4.3] %s emits its result in the page that the wallet returns to', async method => {
    const { account } = world.phone
    await leaveToSign(await connected(world, id), id, method)
    const { nonce, payload, ...rest } = Object.fromEntries(world.phone.visits.at(-1)?.searchParams ?? [])
    expect(Object.keys(rest).sort()).toEqual(['dapp_encryption_public_key', 'redirect_link'])
    expect([bs58.decode(nonce ?? '').length, Boolean(payload)]).toEqual([24, true])
    const page = await openWith(world, 'operation:resumed')
    expect(location.search).toBe('')
    expect(page.keybay.attempts.get(id)).toMatchObject({ method, status: 'succeeded' })
    await until(() => page.keybay.connections.get(id))
    const event: unknown = page.event('operation:resumed')
    const { result }: { readonly result?: readonly Record<string, Uint8Array>[] } = Object(event)
    const isSigned = (transaction: Uint8Array = new Uint8Array(), of = 0) =>
      nacl.sign.detached.verify(transaction.slice(65), transaction.slice(1, 65), account.publicKey) &&
      transaction.slice(65).toString() === transfer(account.publicKey, of).slice(65).toString()
    const [first, second] = result ?? []
    if (method === 'signMessage') {
      expect(first?.signedMessage).toEqual(MESSAGE)
      const signature = first?.signature ?? new Uint8Array()
      expect(nacl.sign.detached.verify(MESSAGE, signature, account.publicKey)).toBe(true)
    } else if (method === 'signAndSendTransaction') {
      expect(world.phone.sent.map(sent => isSigned(sent, 1))).toEqual([true])
      expect(first?.signature).toEqual(world.phone.sent[0]?.slice(1, 65))
    } else {
      expect(isSigned(first?.signedTransaction, 1)).toBe(true)
      expect(result).toHaveLength(method === 'signTransaction' ? 1 : 2)
      if (second) expect(isSigned(second.signedTransaction, 2)).toBe(true)
    }
  })
  it.each(METHODS)('%s resolves in the requesting page if that page is still open', async method => {
    const page = await connected(world, id)
    const signing = request(page, id, method)
    await until(() => world.phone.visits.length > 1)
    const tab = world.openTab(await world.phone.answer())
    await until(() => tab.event('operation:resumed'))
    expect(Object(tab.event('operation:resumed')).result).toEqual(await signing)
  })
  it.each([
    ['altered', 'deep_link_answer_invalid'],
    ['foreign', 'deep_link_answer_invalid'],
    ['wrong-nonce', 'deep_link_answer_invalid'],
    ['short-nonce', 'deep_link_answer_invalid'],
    ['other-signer', 'deep_link_answer_invalid'],
    ['error4001', 'user_rejected'],
    ['error-32003', 'deep_link_request_invalid'],
  ])(
    '[S3.1] rejects a signing response that is %s with %s, and stays connected',
    async (manner, code) => {
      for (const method of METHODS) {
        // The wallet sends this transaction itself, so only the chain sees its signer.
        if (manner === 'other-signer' && method === 'signAndSendTransaction') continue
        world.phone.manner = 'well'
        await leaveToSign(await connected(world, id), id, method)
        world.phone.manner = manner
        const page = await openWith(world, 'operation:failed')
        expect(page.event('operation:failed')).toMatchObject({ connectorId: id, method, error: { code } })
        if (code === 'user_rejected')
          expect(page.event('operation:failed')).toMatchObject({
            error: { walletCode: method === 'signMessage' ? MESSAGE_SIGNATURE_DENIED : USER_REJECTED },
          })
        expect(page.event('operation:resumed')).toBeUndefined()
        await until(() => page.keybay.connections.get(id))
        localStorage.clear()
      }
    },
    30_000,
  )
  it('ends the session when the deep-link wallet no longer knows this app', async () => {
    await leaveToSign(await connected(world, id), id, 'signMessage')
    world.phone.links.clear()
    const page = await openWith(world, 'operation:failed')
    expect(page.event('operation:failed')).toMatchObject({ error: { code: 'deep_link_session_ended', walletCode: 8 } })
    expect(Object.keys(localStorage).filter(key => key.includes('deep-link:'))).toEqual([])
    const again = world.open('/')
    await again.wallet(id).preload?.()
    expect(again.keybay.connections.list()).toEqual([])
    await connected(world, id)
  })
  it.each([
    ['another method', (page: Page) => leaveToSign(page, id, 'signTransaction')],
    [
      'an older request',
      (page: Page) => {
        const { signMessage } = page.wallet(id).wallet.features['solana:signMessage']
        signMessage({ account: page.account(id), message: new Uint8Array([1, 2, 255]) }).catch(() => {})
        return until(() => world.phone.visits.length > 2)
      },
    ],
  ])('rejects the wallet’s real response to %s', async (_, leave) => {
    const page = await connected(world, id)
    await leaveToSign(page, id, 'signMessage')
    const old = new URL(await world.phone.answer())
    await leave(page)
    const back = new URL(await world.phone.answer())
    for (const name of ['data', 'nonce']) back.searchParams.set(name, old.searchParams.get(name) ?? '')
    const next = await openWith(world, 'operation:failed', back.href)
    expect(next.event('operation:failed')).toMatchObject({ error: { code: 'deep_link_answer_invalid' } })
  })
  it('aborts an older signing request when a newer request starts, and rejects its response', async () => {
    const page = await connected(world, id)
    const older = request(page, id, 'signMessage')
    older.catch(() => {})
    await until(() => world.phone.visits.length === 2)
    const answer = await world.phone.answer()
    await leaveToSign(page, id, 'signTransaction')
    await expect(older).rejects.toMatchObject({ code: 'aborted' })
    const next = await openWith(world, 'operation:failed', answer)
    expect(next.event('operation:failed')).toMatchObject({
      method: 'signMessage',
      error: { code: 'redirect_unexpected' },
    })
    const last = await openWith(world, 'operation:resumed')
    expect(last.event('operation:resumed')).toMatchObject({ method: 'signTransaction' })
  })
  it('delivers the response to a payment after a forged link', async () => {
    await leaveToSign(await connected(world, id), id, 'signAndSendTransaction')
    const answer = await world.phone.answer()
    const forged = world.open(`/?keybay_return=${id.slice('deep-link:'.length)}.x&errorCode=4001`)
    await until(() => forged.keybay.attempts.get(id)?.error)
    expect(forged.keybay.attempts.get(id)?.error?.code).toBe('redirect_unexpected')
    expect(forged.event('operation:failed')).toBeUndefined()
    await until(() => forged.keybay.connections.get(id))
    const page = await openWith(world, 'operation:resumed', answer)
    expect(page.event('operation:resumed')).toMatchObject({
      method: 'signAndSendTransaction',
      result: [{ signature: world.phone.sent[0]?.slice(1, 65) }],
    })
  })
  it('rejects a signing response that is an hour late', async () => {
    const clock = fakeClock()
    world.setClock(clock)
    const page = await connected(world, id)
    await clock.advance(1000)
    await leaveToSign(page, id, 'signTransaction')
    await clock.advance(3_600_000)
    const next = world.open(await world.phone.answer())
    await until(() => next.keybay.attempts.get(id)?.status === 'failed')
    expect(next.keybay.attempts.get(id)?.error?.code).toBe('redirect_unexpected')
  })
  it('reports user_rejected when the user comes back without a response, and the next request works', async () => {
    const page = await connected(world, id)
    const signing = request(page, id, 'signMessage')
    await until(() => world.phone.visits.length === 2)
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await expect(signing).rejects.toMatchObject({ code: 'user_rejected' })
    await leaveToSign(page, id, 'signMessage')
    await openWith(world, 'operation:resumed')
  })
  it('rejects requests that the deep-link protocol does not support before it leaves the page', async () => {
    const page = await connected(world, id)
    const account = page.account(id)
    const { features } = page.wallet(id).wallet
    const { signMessage } = features['solana:signMessage']
    const message = MESSAGE
    await expect(signMessage({ account, message }, { account, message })).rejects.toMatchObject({
      code: 'config_invalid',
    })
    const other = { ...account, address: bs58.encode(new Uint8Array(32).fill(7)) }
    await expect(signMessage({ account: other, message })).rejects.toMatchObject({ code: 'account_not_found' })
    const { signAndSendTransaction } = features['solana:signAndSendTransaction']
    const transaction = transfer(Uint8Array.from(account.publicKey), 1)
    await expect(signAndSendTransaction({ account, transaction, chain: 'solana:devnet' })).rejects.toMatchObject({
      code: 'config_invalid',
    })
    await expect(features['solana:signTransaction'].signTransaction()).resolves.toEqual([])
    expect(world.phone.visits).toHaveLength(1)
  })
  it('a deep-link wallet signs a message that is not text', async () => {
    const page = await connected(world, id)
    const account = page.account(id)
    const message = new Uint8Array([255, 254, 0, 1])
    const signing = page.wallet(id).wallet.features['solana:signMessage'].signMessage({ account, message })
    await until(() => world.phone.visits.length === 2)
    expect(world.phone.read().ask).toMatchObject({ method: 'signMessage', message: Uint8Array.from(message) })
    const tab = world.openTab(await world.phone.answer())
    await until(() => tab.event('operation:resumed'))
    expect((await signing)[0]?.signedMessage).toEqual(message)
  })
})
it('[S9.7] waits 100 ms after connect before Solflare signs a message, and not for Phantom', async () => {
  for (const [id, wait] of [
    ['deep-link:phantom', 0],
    ['deep-link:solflare', 100],
  ] as const) {
    const clock = fakeClock()
    world.setClock(clock)
    const page = await connected(world, id)
    const before = world.phone.visits.length
    request(page, id, 'signMessage').catch(() => {})
    if (wait) {
      await until(() => clock.pending())
      await clock.advance(wait - 1)
      expect(world.phone.visits).toHaveLength(before)
      await clock.advance(1)
    }
    await until(() => world.phone.visits.length > before)
    await clock.advance(1000)
    request(page, id, 'signMessage').catch(() => {})
    await until(() => world.phone.visits.length > before + 1)
    localStorage.clear()
  }
})
it('isDeepLinkResult recognises a result by its method and form', () => {
  const event = { connectorId: 'deep-link:phantom', method: 'signMessage' }
  const result = [{ signedMessage: new Uint8Array(), signature: new Uint8Array() }]
  expect(isDeepLinkResult({ ...event, result }, 'signMessage')).toBe(true)
  expect(isDeepLinkResult({ ...event, result }, 'signTransaction')).toBe(false)
  expect(isDeepLinkResult({ ...event, result: [{ signature: 'x' }] }, 'signMessage')).toBe(false)
  expect(isDeepLinkResult({ ...event, connectorId: 'other', result }, 'signMessage')).toBe(false)
})
