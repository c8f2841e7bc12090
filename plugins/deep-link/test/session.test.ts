// @vitest-environment happy-dom
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { describe, expect, it, vi } from 'vitest'
import { open, seal, sharedKey } from '../src/exchange.js'
import { isSignedBy } from '../src/methods.js'
import { createVault } from '../src/vault.js'
import { createAccount } from './phone.js'
import {
  connected,
  leaveToConnect,
  openConnected,
  openWith,
  setUpWorld,
  transfer,
  until,
  type WalletId,
} from './support.js'

const world = setUpWorld()
const id: WalletId = 'deep-link:phantom'

function getStoredKeys() {
  return Object.keys(localStorage).filter(key => /deep-link|redirect/.test(key))
}

async function readRows() {
  const rows: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store).getAll()
      await new Promise(resolve => {
        all.onsuccess = resolve
      })
      rows.push(...all.result)
    }
    database.close()
  }
  return rows
}

it('[S2.7] [S4.4] a disconnect clears all stored data and sends a disconnect request that the wallet reads', async () => {
  const page = await connected(world, id)
  void page.keybay.disconnect(id)
  await until(() => world.phone.visits.length === 2)
  expect(page.keybay.connections.list()).toEqual([])
  expect(await readRows()).toEqual([])
  // Only the marker of the disconnect is left; it holds no secret.
  expect(getStoredKeys().filter(key => key.endsWith(':session'))).toEqual([])
  expect(world.phone.read().ask).toMatchObject({ method: 'disconnect' })
  const back = await openWith(world, 'operation:resumed')
  expect(world.phone.links.size).toBe(0)
  expect(back.event('operation:resumed')).toMatchObject({ connectorId: id, method: 'disconnect' })
  expect(getStoredKeys()).toEqual([])
  expect(location.search).toBe('')
  expect(back.keybay.connections.list()).toEqual([])
})
it('[S4.4] a disconnect clears all stored data even if the wallet never responds', async () => {
  const page = await connected(world, id)
  void page.keybay.disconnect(id)
  await until(() => world.phone.visits.length === 2)
  const again = world.open('/')
  await again.wallet(id).preload?.()
  expect(again.keybay.connections.list()).toEqual([])
  await connected(world, id)
})
it('rejects the response to a request that was pending at disconnect', async () => {
  const page = await connected(world, id)
  const account = page.account(id)
  const message = new Uint8Array([1])
  page
    .wallet(id)
    .wallet.features['solana:signMessage'].signMessage({ account, message })
    .catch(() => {})
  await until(() => world.phone.visits.length === 2)
  const late = await world.phone.answer()
  const next = await openConnected(world, id, '/')
  void next.keybay.disconnect(id)
  await until(() => world.phone.visits.length === 3)
  const back = world.open(late)
  await until(() => back.keybay.attempts.get(id)?.status === 'failed')
  expect(back.keybay.attempts.get(id)?.error?.code).toBe('redirect_unexpected')
})
it('deep-link storage holds no secret in plain text at any step', async () => {
  const secrets: Uint8Array[] = []
  const { keyPair } = nacl.box
  const { before } = nacl.box
  vi.spyOn(nacl.box, 'before').mockImplementation((...args) => {
    const key = before(...args)
    secrets.push(key)
    return key
  })
  vi.spyOn(nacl.box, 'keyPair').mockImplementation(() => {
    const pair = keyPair()
    secrets.push(pair.secretKey)
    return pair
  })
  const scan = async () => {
    const text = JSON.stringify({ ...localStorage })
    for (const secret of secrets) {
      expect(text).not.toContain(bs58.encode(secret))
      expect(text).not.toContain(Buffer.from(secret).toString('base64'))
      expect(text).not.toContain(Buffer.from(secret).toString('hex'))
      expect(text).not.toContain(secret.toString())
    }
    for (const { appUrl } of world.phone.links.values()) expect(text).not.toContain(btoa(appUrl))
    const keys = await readRows()
    expect(keys.every(key => key instanceof CryptoKey && !key.extractable)).toBe(true)
    return secrets.length
  }
  await leaveToConnect(world.open('/'), world, id)
  expect(await scan()).toBe(1)
  const page = await openConnected(world, id, await world.phone.answer())
  expect(await scan()).toBeGreaterThan(2)
  const account = page.account(id)
  const message = new TextEncoder().encode('The message is private too')
  page
    .wallet(id)
    .wallet.features['solana:signMessage'].signMessage({ account, message })
    .catch(() => {})
  await until(() => world.phone.visits.length === 2)
  await scan()
  expect(JSON.stringify({ ...localStorage })).not.toContain(bs58.encode(message))
})
it('connect stays on the page when storage is blocked', async () => {
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
  const page = world.open('/')
  await expect(page.keybay.connect(id)).rejects.toMatchObject({ code: 'deep_link_storage_blocked', connectorId: id })
  vi.unstubAllGlobals()
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied.', 'SecurityError')
  })
  await expect(page.keybay.connect(id)).rejects.toMatchObject({ code: 'deep_link_storage_blocked' })
  expect(world.phone.visits).toEqual([])
})
it('decrypts stored data only for the same purpose and wallet', async () => {
  const vault = createVault('test', 'phantom')
  const sealed = await vault.seal({ a: 1 }, 'connect x')
  expect(await vault.open(sealed, 'connect x')).toEqual({ a: 1 })
  expect(await vault.open(sealed, 'connect y')).toBeUndefined()
  expect(await createVault('test', 'solflare').open(sealed, 'connect x')).toBeUndefined()
  expect(await vault.open(`${sealed.slice(0, -4)}AAAA`, 'connect x')).toBeUndefined()
  expect(await vault.open('nonsense', 'connect x')).toBeUndefined()
  await vault.forget()
  expect(await vault.open(sealed, 'connect x')).toBeUndefined()
})
it('two tabs that create the storage key at once use the same key', async () => {
  const [first, second] = [createVault('test', 'phantom'), createVault('test', 'phantom')]
  const sealed = await Promise.all([first.seal({ by: 1 }, 'x'), second.seal({ by: 2 }, 'x')])
  expect(await Promise.all(sealed.map(text => first.open(text, 'x')))).toEqual([{ by: 1 }, { by: 2 }])
})

describe('the key exchange', () => {
  const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
  it('derives the shared key of NaCl’s test vectors', () => {
    // tests/box.c: Alice's secret key, Bob's public key, and “firstkey”.
    const alice = fromHex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a')
    const bob = fromHex('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f')
    expect(Buffer.from(sharedKey(bob, alice)).toString('hex')).toBe(
      '1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389',
    )
  })
  it('[S9.7] encrypts with a new nonce of 24 bytes each time', () => {
    const key = nacl.randomBytes(32)
    const nonces = Array.from({ length: 50 }, () => seal({ a: 1 }, key).nonce)
    expect(new Set(nonces).size).toBe(50)
    expect(nonces.every(nonce => bs58.decode(nonce).length === 24)).toBe(true)
  })
  it('decrypts only unaltered data that the other side encrypted', () => {
    const [us, them] = [nacl.box.keyPair(), nacl.box.keyPair()]
    const nonce = nacl.randomBytes(24)
    const data = nacl.box(new TextEncoder().encode('{"ok":"ü"}'), nonce, us.publicKey, them.secretKey)
    const key = sharedKey(them.publicKey, us.secretKey)
    expect(open(bs58.encode(data), bs58.encode(nonce), key)).toEqual({ ok: 'ü' })
    expect(open(bs58.encode(data), bs58.encode(nonce.slice(0, 23)), key)).toBeUndefined()
    expect(open('0OIl', bs58.encode(nonce), key)).toBeUndefined()
    for (const index of data.keys()) {
      const altered = data.slice()
      altered[index] = (altered[index] ?? 0) ^ 1
      expect(open(bs58.encode(altered), bs58.encode(nonce), key)).toBeUndefined()
    }
  })
})

describe('isSignedBy', () => {
  const addSignature = (transaction: Uint8Array, sign: (bytes: Uint8Array) => Uint8Array) => {
    const copy = transaction.slice()
    copy.set(sign(copy.slice(65)), 1)
    return copy
  }
  it('isSignedBy accepts only a valid signature of the account', () => {
    const [account, other] = [createAccount(), createAccount()]
    const transaction = transfer(account.publicKey, 1)
    const good = addSignature(transaction, account.sign)
    expect(isSignedBy(good, account.publicKey)).toBe(true)
    expect(isSignedBy(good, other.publicKey)).toBe(false)
    expect(isSignedBy(transaction, account.publicKey)).toBe(false)
    expect(isSignedBy(addSignature(transaction, other.sign), account.publicKey)).toBe(false)
    expect(isSignedBy(good.slice(0, -1), account.publicKey)).toBe(false)
    const version0 = Uint8Array.from([1, ...new Uint8Array(64), 128, ...transaction.slice(65), 0])
    expect(isSignedBy(addSignature(version0, account.sign), account.publicKey)).toBe(true)
  })
  it('isSignedBy rejects bytes that are not a transaction', () => {
    const { publicKey } = createAccount()
    for (let length = 0; length < 200; length++) expect(isSignedBy(nacl.randomBytes(length), publicKey)).toBe(false)
    expect(isSignedBy(new Uint8Array(2000).fill(255), publicKey)).toBe(false)
  })
})
