/** Checks that the phone rejects and answers exactly what the wallets' documentation says it does. */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { answerTo, returnTo } from '../src/phone/page/answer.js'
import { BRANDS } from '../src/phone/page/brands.js'
import { type Account, type Linked, type Links, readLink } from '../src/phone/page/link.js'

function createAccount(): Account {
  const { publicKey, secretKey } = nacl.sign.keyPair()
  return { address: bs58.encode(publicKey), publicKey, sign: bytes => nacl.sign.detached(bytes, secretKey) }
}

function createLinks(): Links {
  const map = new Map<string, Linked>()
  return {
    get: key => map.get(key),
    set: (key, value) => void map.set(key, value),
    remove: key => void map.delete(key),
  }
}
const brand = BRANDS[0] ?? missingBrand()

function missingBrand(): never {
  throw new Error('There is no brand')
}

/** Connects an app that uses only tweetnacl. */
async function connectApp(account = createAccount(), links = createLinks()) {
  const pair = nacl.box.keyPair()
  const dappKey = bs58.encode(pair.publicKey)
  const link = (method: string, parameters: Record<string, string>) =>
    new URL(`https://phantom.app/ul/v1/${method}?${new URLSearchParams(parameters)}`)
  const base = { dapp_encryption_public_key: dappKey, redirect_link: 'https://app.example/back?x=1' }
  const { ask } = readLink(link('connect', { ...base, app_url: 'https://app.example' }), account, links)
  if (!ask) throw new Error('The connect was refused')
  const answer = await answerTo(ask, { brand, account, links, send: async () => undefined, now: Date.now })
  const back = new URL(returnTo(ask.redirect, answer))
  const get = (name: string) => bs58.decode(back.searchParams.get(name) ?? '')
  const key = nacl.box.before(get('phantom_encryption_public_key'), pair.secretKey)
  const opened = nacl.box.open.after(get('data'), get('nonce'), key)
  const { public_key, session }: { public_key: string; session: string } = JSON.parse(
    new TextDecoder().decode(opened ?? new Uint8Array()),
  )
  const request = (method: string, payload: object, changes: Record<string, string> = {}, by = key) => {
    const nonce = nacl.randomBytes(24)
    const box = nacl.box.after(new TextEncoder().encode(JSON.stringify(payload)), nonce, by)
    return readLink(
      link(method, { ...base, nonce: bs58.encode(nonce), payload: bs58.encode(box), ...changes }),
      account,
      links,
    )
  }
  return { account, links, link, base, back, public_key, session, request }
}
const message = bs58.encode(new TextEncoder().encode('hello'))

describe('the phone', () => {
  it('the phone appends its address and a signed session to the return address, after the app’s own query', async () => {
    const { account, back, public_key, session } = await connectApp()
    expect(public_key).toBe(account.address)
    expect(back.search.startsWith('?x=1&phantom_encryption_public_key=')).toBe(true)
    const signed = nacl.sign.open(bs58.decode(session), account.publicKey)
    expect(JSON.parse(new TextDecoder().decode(signed ?? new Uint8Array()))).toMatchObject({
      app_url: 'https://app.example',
      chain: 'solana',
      cluster: 'mainnet-beta',
    })
  })
  it('the phone accepts a request with a session that it signed', async () => {
    const { request, session } = await connectApp()
    expect(request('signMessage', { session, message, display: 'utf8' }).ask).toMatchObject({ method: 'signMessage' })
  })
  it('the phone does not redirect to an invalid return address', async () => {
    const { link, base, account, links } = await connectApp()
    for (const redirect_link of ['', 'nonsense', 'javascript:alert(1)', 'data:text/html,x']) {
      const url = link('connect', { ...base, app_url: 'https://app.example', redirect_link })
      expect(readLink(url, account, links)).toMatchObject({ ask: undefined, redirect: undefined })
    }
  })
  it('the phone refuses a connect request with missing or invalid parameters', async () => {
    const { link, base, account, links } = await connectApp()
    const refused = { refusal: { errorCode: '-32000' } }
    const app_url = 'https://app.example'
    expect(readLink(link('connect', base), account, links)).toMatchObject(refused)
    expect(readLink(link('connect', { ...base, app_url: 'x' }), account, links)).toMatchObject(refused)
    expect(readLink(link('connect', { ...base, app_url, cluster: 'moon' }), account, links)).toMatchObject(refused)
    const short = { ...base, app_url, dapp_encryption_public_key: bs58.encode(new Uint8Array(31)) }
    expect(readLink(link('connect', short), account, links)).toMatchObject(refused)
  })
  it('the phone refuses requests with the documented error codes', async () => {
    const { request, session, account } = await connectApp()
    const code = (reading: ReturnType<typeof request>) => (reading.ask ? 'taken' : reading.refusal.errorCode)
    const good = { session, message }
    expect(code(request('signMessage', good))).toBe('taken')
    expect(code(request('signMessage', good, { nonce: bs58.encode(nacl.randomBytes(24)) }))).toBe('-32000')
    expect(code(request('signMessage', good, { nonce: bs58.encode(nacl.randomBytes(12)) }))).toBe('-32000')
    expect(code(request('signMessage', good, {}, nacl.randomBytes(32)))).toBe('-32000')
    expect(code(request('signMessage', { session }))).toBe('-32000')
    expect(code(request('signMessage', { ...good, display: 'morse' }))).toBe('-32000')
    expect(code(request('signMessage', { message }))).toBe('4100')
    const foreign = bs58.encode(nacl.sign(new TextEncoder().encode('{}'), nacl.sign.keyPair().secretKey))
    expect(code(request('signMessage', { message, session: foreign }))).toBe('4100')
    const stranger = bs58.encode(nacl.box.keyPair().publicKey)
    expect(code(request('signMessage', good, { dapp_encryption_public_key: stranger }))).toBe('4100')
    expect(code(request('signTransaction', { session, transaction: message }))).toBe('-32003')
    expect(code(request('signAllTransactions', { session, transactions: [] }))).toBe('-32000')
    expect(code(request('swap', { session }))).toBe('-32601')
    const { session: other } = await connectApp(account)
    expect(code(request('disconnect', { session: other }))).toBe('taken')
  })
})
