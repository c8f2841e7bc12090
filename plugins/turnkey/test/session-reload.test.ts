// @vitest-environment happy-dom
/** Tests session keys over reloads, tabs and users, against the real API and custody. Two apps of one page stand for two pages. */
import { field, fromBase64Url, toHex } from '@keybay/kernel/spec'
import { fakeClock } from '@keybay/kernel/testing'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Host, setUpWorld, sign, signIn } from './support.js'

const setup = setUpWorld()
const { withWallet } = setup

const CREATE = '/public/v1/submit/create_read_write_session'
const SIGN = '/public/v1/submit/sign_raw_payload'
const DELETE = '/public/v1/submit/delete_api_keys'

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
})

/** Returns the content of every database of this origin, as a script of the page reads it. */
async function readDatabases(): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      values.push(...(await done(database.transaction(store).objectStore(store).getAll())))
    database.close()
  }
  return values
}
function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
function listCryptoKeys(value: unknown): readonly CryptoKey[] {
  if (value instanceof CryptoKey) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listCryptoKeys) : []
}
async function storedKey(): Promise<unknown> {
  return (await readDatabases()).map(row => field(field(row, 'values'), 'turnkey')).find(key => key !== undefined)
}
/** Opens the app again, after a reload or in another tab. */
async function reopen(options?: Parameters<typeof setup.open>[0]): Promise<Host> {
  const keybay = setup.open(options)
  await keybay.connect('turnkey')
  return keybay
}
async function reload(keybay: Host, options?: Parameters<typeof setup.open>[0]): Promise<Host> {
  keybay.dispose()
  return reopen(options)
}
async function requestsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  await setup.world.takeRequests()
  await run()
  return setup.world.takeRequests()
}

describe('[S4.1] a session key survives a reload', () => {
  it('[S4.1] signs after a reload without the passkey, until the expiry date', async () => {
    const clock = fakeClock(Date.now())
    const { keybay } = await withWallet({ clock, sessionSeconds: 60 })
    await sign(keybay, 'before')
    const { expirationDate } = await keybay.turnkey.session()
    const prompts = setup.device.requests.length
    const after = await reload(keybay, { clock, sessionSeconds: 60 })
    expect(await after.turnkey.session()).toEqual({ status: 'active', expirationDate })
    expect(await requestsOf(() => sign(after, 'after'))).toEqual([SIGN])
    expect(setup.device.requests).toHaveLength(prompts)
    await clock.advance(60_000)
    expect(await after.turnkey.session()).toEqual({ status: 'expired' })
    expect(await storedKey()).toBeUndefined()
    expect(await requestsOf(() => sign(after, 'later'))).toEqual([CREATE, SIGN])
  })
  it('deletes a key that expired while no page was open', async () => {
    const clock = fakeClock(Date.now())
    const { keybay } = await withWallet({ clock, sessionSeconds: 60 })
    await sign(keybay, 'before')
    keybay.dispose()
    await clock.advance(60_000)
    const after = await reopen({ clock, sessionSeconds: 60 })
    expect(await after.turnkey.session()).toEqual({ status: 'none' })
    expect(await storedKey()).toBeUndefined()
  })
  it('does not trust a key whose lifetime grew because the clock was set back', async () => {
    const clock = fakeClock(Date.now())
    const { keybay } = await withWallet({ clock, sessionSeconds: 60 })
    await sign(keybay, 'before')
    const back = fakeClock(clock.now() - 3_600_000)
    const after = await reload(keybay, { clock: back, sessionSeconds: 60 })
    expect(await after.turnkey.session()).toEqual({ status: 'none' })
    expect(await storedKey()).toBeUndefined()
  })
  it('replaces a key that custody deleted while the page was closed, with one prompt', async () => {
    const { keybay, client, request, organizationId } = await withWallet()
    await sign(keybay, 'before')
    const { userId } = await client.getWhoami({ organizationId })
    const { user } = await client.getUser({ organizationId, userId })
    const apiKeyIds = user.apiKeys.map(({ apiKeyId }) => apiKeyId)
    await client.deleteApiKeys(request('ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds }))
    const after = await reload(keybay)
    const signAll = () => Promise.all([sign(after, '1'), sign(after, '2'), sign(after, '3')])
    expect((await requestsOf(signAll)).filter(path => path === CREATE)).toEqual([CREATE])
    expect(await requestsOf(() => sign(after, 'again'))).toEqual([SIGN])
  })
  it('lasts as long as the page where storage is blocked', async () => {
    vi.stubGlobal('indexedDB', {
      open() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    const { keybay } = await withWallet()
    await sign(keybay, 'one')
    expect(await requestsOf(() => sign(keybay, 'two'))).toEqual([SIGN])
    await keybay.turnkey.endSession()
    const paths = await requestsOf(() => sign(keybay, 'three'))
    expect(paths.filter(path => path !== DELETE)).toEqual([CREATE, SIGN])
  })
})

describe('a malicious script of the page', () => {
  it('cannot export the stored key, and finds no private key in storage', async () => {
    const imported = vi.spyOn(crypto.subtle, 'importKey')
    const { keybay } = await withWallet()
    await sign(keybay, 'x')
    const secrets = imported.mock.calls.map(([, jwk]) => field(jwk, 'd')).filter(secret => typeof secret === 'string')
    imported.mockRestore()
    expect(secrets).toHaveLength(1)
    const rows = await readDatabases()
    const keys = listCryptoKeys(rows)
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      expect(key.extractable).toBe(false)
      for (const format of ['jwk', 'pkcs8'] as const)
        await expect(crypto.subtle.exportKey(format, key)).rejects.toThrow('not extractable')
    }
    const stored = JSON.stringify([rows, { ...localStorage }, { ...sessionStorage }])
    for (const secret of secrets) {
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(toHex(fromBase64Url(secret)))
    }
  })
})

describe('a session key ends with the session', () => {
  it.each<[string, (keybay: Host) => Promise<unknown>]>([
    ['signs out', keybay => keybay.account.signOut()],
    ['signs out everywhere', keybay => keybay.account.signOutEverywhere()],
    ['deletes the account', keybay => keybay.account.deleteUser()],
  ])(
    'a user who %s after a reload leaves no key in storage, even if the page never used the wallet',
    async (_, leave) => {
      const { keybay } = await withWallet()
      await sign(keybay, 'x')
      keybay.dispose()
      expect(await storedKey()).toBeDefined()
      await leave(setup.open())
      expect(listCryptoKeys(await readDatabases())).toEqual([])
    },
  )
  it('a sign-out in another tab ends the key in this one, and deletes it at custody', async () => {
    const { keybay } = await withWallet()
    await sign(keybay, 'x')
    const other = setup.open()
    const ended = new Promise<void>(resolve => {
      keybay.on('turnkey:session', ({ status }) => status === 'none' && resolve())
    })
    await setup.world.takeRequests()
    await other.account.signOut()
    await ended
    expect(await storedKey()).toBeUndefined()
    expect(keybay.connectors.get('turnkey').wallet.accounts).toEqual([])
    await vi.waitFor(async () => expect(await setup.world.takeRequests()).toContain(DELETE), { timeout: 20_000 })
  })
  it('locking the wallet in one tab locks it in the others, and deletes the key at custody', async () => {
    const { keybay } = await withWallet()
    await sign(keybay, 'x')
    const other = await reopen()
    expect(await requestsOf(() => sign(other, 'shares the key'))).toEqual([SIGN])
    await keybay.turnkey.endSession()
    // The deletion is sent in the background.
    await expect.poll(() => setup.world.takeRequests()).toEqual([DELETE])
    expect(await other.turnkey.session()).toMatchObject({ status: 'expired' })
    expect(await requestsOf(() => sign(other, 'prompts'))).toEqual([CREATE, SIGN])
  })
  it('a session that the server ended leaves no key in storage', async () => {
    const { keybay, address } = await withWallet()
    await sign(keybay, 'x')
    const [own] = await keybay.account.sessions()
    keybay.dispose()
    expect(own).toBeDefined()
    // Signs in as on another device, which ends this browser's session.
    const here = indexedDB
    const stored = { ...localStorage }
    vi.stubGlobal('indexedDB', new IDBFactory())
    localStorage.clear()
    const elsewhere = setup.open()
    await signIn(setup.world, elsewhere, address)
    await elsewhere.account.endSession(own?.id ?? '')
    elsewhere.dispose()
    vi.stubGlobal('indexedDB', here)
    localStorage.clear()
    for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, String(value))
    const after = setup.open()
    await expect(after.account.user.refresh()).rejects.toMatchObject({ code: expect.any(String) })
    expect(listCryptoKeys(await readDatabases())).toEqual([])
  })
  it('the next user of this browser never signs with the previous user’s key', async () => {
    const { keybay } = await withWallet()
    await sign(keybay, 'x')
    const previous = await storedKey()
    // The first user's page dies; the second user signs in over the first user's session.
    keybay.dispose()
    const second = setup.open()
    await second.account.signOut()
    await signIn(setup.world, second)
    expect(await storedKey()).toBeUndefined()
    await second.turnkey.createWallet()
    // A late write of the first user's tab.
    await second.account.sessionValue('turnkey', () => previous)
    expect(await second.turnkey.session()).toEqual({ status: 'none' })
    expect(await storedKey()).toBeUndefined()
    await second.connect('turnkey')
    expect(await requestsOf(() => sign(second, 'y'))).toContain(CREATE)
  })
  it('the account stores no value for a page without a signed-in user', async () => {
    const keybay = setup.open()
    expect(await keybay.account.sessionValue('turnkey', () => 'x')).toBeUndefined()
    expect(await storedKey()).toBeUndefined()
  })
})
