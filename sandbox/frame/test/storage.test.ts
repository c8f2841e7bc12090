/** Tests what a real browser stores: under which keys, for which user, and how two tabs share it. */
import { describe, expect, it } from 'vitest'
import { setUpBrowser } from './storage-browser.js'

const browser = setUpBrowser()
const SLOW = 30_000

describe('a share in the browser', () => {
  it('a stored share survives a reload and opens to the same secret', { timeout: SLOW }, async () => {
    const page = await browser.visit()
    const secret = await page.evaluate(async () => {
      const store = window.store.openShareStore('local')
      const { kept, secret } = await window.store.sample(store)
      await store.put(kept)
      return [...secret]
    })
    await page.reload()
    const opened = await page.evaluate(async () => {
      const { openShareStore, openShare, user, argon2id } = window.store
      const store = openShareStore('local')
      const [kept] = await store.list(user)
      if (!kept) throw new Error('gone')
      const share = await openShare({ store, argon2id }, kept, kept.share, undefined)
      return [...share.secret]
    })
    expect(opened).toEqual(secret)
  })

  it('a stored share is never in plain text, and its keys cannot be exported', { timeout: SLOW }, async () => {
    const page = await browser.visit()
    const found = await page.evaluate(async () => {
      const { openShareStore, sample } = window.store
      const store = openShareStore('local')
      const { kept, secret } = await sample(store)
      await store.put(kept)
      const database: IDBDatabase = await new Promise(resolve => {
        const opening = indexedDB.open('keybay-waas:local')
        opening.onsuccess = () => resolve(opening.result)
      })
      const all = (name: string): Promise<unknown[]> =>
        new Promise(resolve => {
          const reading = database.transaction(name).objectStore(name).getAll()
          reading.onsuccess = () => resolve(reading.result)
        })
      const bytes: Uint8Array[] = []
      const keys: CryptoKey[] = []
      const walk = (value: unknown): void => {
        if (value instanceof Uint8Array) bytes.push(value)
        else if (value instanceof CryptoKey) keys.push(value)
        else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) walk(part)
      }
      for (const value of [...(await all('keys')), ...(await all('sets'))]) walk(value)
      const text = [...secret].join()
      const exported = await Promise.all(
        keys
          .filter(({ type }) => type !== 'public')
          .map(key =>
            crypto.subtle.exportKey(key.type === 'private' ? 'pkcs8' : 'raw', key).then(
              () => 'read out',
              () => 'kept',
            ),
          ),
      )
      return { parts: bytes.length, inClear: bytes.filter(byte => [...byte].join().includes(text)).length, exported }
    })
    expect(found.parts).toBeGreaterThan(2)
    expect(found.inClear).toBe(0)
    expect(found.exported).toEqual(['kept', 'kept'])
  })

  it('a stored share does not open for another wallet, user or environment', { timeout: SLOW }, async () => {
    const page = await browser.visit()
    const outcomes = await page.evaluate(async () => {
      const { openShareStore, openShare, sample, argon2id } = window.store
      const store = openShareStore('local')
      const [first, second] = [await sample(store), await sample(store)]
      const attempt = (owner: object, share = first.kept.share, from = store) =>
        openShare({ store: from, argon2id }, { ...first.kept, ...owner }, share, undefined).then(
          () => 'opened',
          (error: { code?: string }) => error.code,
        )
      return Promise.all([
        attempt({}),
        attempt({ walletId: second.kept.walletId }),
        attempt({ setId: second.kept.setId }),
        attempt({ user: 'user-2' }),
        attempt({}, second.kept.share),
        attempt({}, { ...first.kept.share, epoch: 1 }),
        attempt({}, { ...first.kept.share, set: second.kept.share.set }),
        attempt({}, first.kept.share, openShareStore('other')),
      ])
    })
    expect(outcomes).toEqual(['opened', ...Array.from({ length: 7 }, () => 'frame_share_unreadable')])
  })

  it('a stored share opens only with its password, however the password is typed', { timeout: 60_000 }, async () => {
    const page = await browser.visit()
    const outcomes = await page.evaluate(async () => {
      const { openShareStore, openShare, sample, argon2id } = window.store
      const store = openShareStore('local')
      const { kept } = await sample(store, 'p\u00e4ss word')
      const attempt = (password: string | undefined) =>
        openShare({ store, argon2id }, kept, kept.share, password).then(
          () => 'opened',
          (error: { code?: string }) => error.code,
        )
      return [await attempt(undefined), await attempt('pass word'), await attempt('pa\u0308ss word')]
    })
    expect(outcomes).toEqual(['frame_password_missing', 'frame_password_wrong', 'opened'])
  })

  it('the page stays responsive while the worker derives the password key', { timeout: 60_000 }, async () => {
    const page = await browser.visit()
    // The page's own timers run while the worker derives: none would if the page itself derived.
    const turns = await page.evaluate(async () => {
      let turns = 0
      let isDone = false
      const turn = () => {
        turns += 1
        if (!isDone) setTimeout(turn)
      }
      const derived = window.store.argon2id(new Uint8Array(8).fill(1), new Uint8Array(16), {
        memoryKiB: 65_536,
        iterations: 3,
        parallelism: 1,
      })
      turn()
      await derived
      isDone = true
      return turns
    })
    expect(turns).toBeGreaterThan(5)
  })
})

describe('two tabs', () => {
  it('two tabs create a single wrapping key for a user', { timeout: SLOW }, async () => {
    const context = await browser.newContext()
    const tabs = await Promise.all([browser.visit(context), browser.visit(context)])
    const sealed = await Promise.all(
      tabs.map(tab =>
        tab.evaluate(async () => {
          const { openShareStore, seal, argon2id, user } = window.store
          const key = await openShareStore('local').wrappingKey(user)
          const secret = Uint8Array.of(1, 2, 3)
          const { iv, data } = await seal(key, { secret, context: 'x', lock: { password: undefined, argon2id } })
          return { iv: [...iv], data: [...data] }
        }),
      ),
    )
    const opened = await tabs[1]?.evaluate(async boxes => {
      const { openShareStore, unseal, argon2id, user } = window.store
      const key = await openShareStore('local').wrappingKey(user)
      const open = ({ iv, data }: { iv: number[]; data: number[] }) =>
        unseal(key, {
          sealed: { iv: Uint8Array.from(iv), data: Uint8Array.from(data) },
          context: 'x',
          lock: { password: undefined, argon2id },
        })
      return Promise.all(boxes.map(async box => [...(await open(box))]))
    }, sealed)
    expect(opened).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  it('two tabs change a wallet one after the other, and read the wallet at the same time', {
    timeout: SLOW,
  }, async () => {
    const context = await browser.newContext()
    const [one, two] = await Promise.all([browser.visit(context), browser.visit(context)])
    await one.evaluate(() => {
      const locks = window.store.webLocks('local')
      return new Promise<void>(held => {
        const gate = new Promise<void>(resolve => Object.assign(window, { release: resolve }))
        locks.changing('wallet', () => {
          held()
          return gate
        })
      })
    })
    await two.evaluate(async () => {
      const log: string[] = []
      const locks = window.store.webLocks('local')
      const done = locks.reading('wallet', async () => log.push('read'))
      Object.assign(window, { log, done })
      // Wait until the lock is free: a lock that is being released counts as held.
      await locks.reading('another', async () => log.push('another'))
    })
    const waiting = await two.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      return { held: held.length, pending: pending.length, log: Reflect.get(window, 'log') }
    })
    expect(waiting).toEqual({ held: 1, pending: 1, log: ['another'] })
    await one.evaluate(() => Reflect.get(window, 'release')())
    await two.evaluate(() => Reflect.get(window, 'done'))
    expect(await two.evaluate(() => Reflect.get(window, 'log'))).toEqual(['another', 'read'])
  })

  it('closing a tab in the middle of a change releases its lock', { timeout: SLOW }, async () => {
    const context = await browser.newContext()
    const [one, two] = await Promise.all([browser.visit(context), browser.visit(context)])
    await one.evaluate(
      () =>
        new Promise<void>(held => {
          window.store.webLocks('local').changing('wallet', () => {
            held()
            return new Promise(() => {})
          })
        }),
    )
    const waiting = two.evaluate(() => window.store.webLocks('local').changing('wallet', async () => 'mine'))
    await one.close()
    expect(await waiting).toBe('mine')
  })
})

it('signs with the device key as JOSE does, and accepts only statements of the expected type', async () => {
  const page = await browser.visit()
  const results = await page.evaluate(async () => {
    const { newDeviceKey, publicJwk, signJws, verifyJws } = window.store
    const pair = await newDeviceKey()
    const keys = [await publicJwk(await newDeviceKey()), await publicJwk(pair)]
    const text = await signJws(pair.privateKey, 'a+jwt', { hello: 'world' })
    const [head, body, signature] = text.split('.')
    return {
      own: await verifyJws(text, 'a+jwt', keys),
      otherType: await verifyJws(text, 'b+jwt', keys),
      otherKey: await verifyJws(text, 'a+jwt', keys.slice(0, 1)),
      changed: await verifyJws(`${head}.${btoa('{"hello":"moon"}').replaceAll('=', '')}.${signature}`, 'a+jwt', keys),
      rubbish: await verifyJws(`${head}.${body}.!!`, 'a+jwt', keys),
      none: await verifyJws('', 'a+jwt', keys),
    }
  })
  expect(results).toEqual({ own: { hello: 'world' } })
})
