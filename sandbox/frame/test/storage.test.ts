/** Tests what a real browser stores: under which keys, for which user, and how two tabs share it. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everythingStored } from './overheard.js'
import { type Listening, servePage, setUpBrowser } from './pages.js'

const newContext = setUpBrowser()
let pages: Listening | undefined
beforeAll(async () => {
  pages = await servePage('./storage-page.ts', { '/worker.js': '../src/page/kdf-worker.ts' })
}, 60_000)
afterAll(() => pages?.close())

/** Opens a page with `window.store`. */
async function visit(context?: BrowserContext): Promise<Page> {
  const page = await (context ?? (await newContext())).newPage()
  await page.goto(`http://localhost:${pages?.port}`)
  return page
}

async function openTabs(): Promise<readonly [Page, Page]> {
  const context = await newContext()
  return [await visit(context), await visit(context)]
}

describe('a share in the browser', () => {
  it('a stored share survives a reload and opens to the same secret', async () => {
    const page = await visit()
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
      const [stored] = await store.list(user)
      if (!stored) throw new Error('gone')
      const share = await openShare({ store, argon2id }, stored, stored.share, undefined)
      return [...share.secret]
    })
    expect(opened).toEqual(secret)
  })

  it('a stored share is never in plain text, and its keys cannot be exported', async () => {
    const page = await visit()
    const { secret, exported } = await page.evaluate(async () => {
      const { openShareStore, sample } = window.store
      const store = openShareStore('local')
      const { kept, secret } = await sample(store)
      await store.put(kept)
      const [stored] = await store.list(kept.user)
      const keys = [await store.wrappingKey(kept.user), ...(stored ? [stored.deviceKey.privateKey] : [])]
      const exported = keys.map(key =>
        crypto.subtle.exportKey(key.type === 'private' ? 'pkcs8' : 'raw', key).then(
          () => 'exported',
          () => 'refused',
        ),
      )
      return { secret: [...secret], exported: await Promise.all(exported) }
    })
    const stored = await everythingStored(page.mainFrame())
    expect(stored.length).toBeGreaterThan(2)
    expect(stored.filter(text => text.includes(Buffer.from(secret).toString('hex')))).toEqual([])
    expect(exported).toEqual(['refused', 'refused'])
  })

  it('a stored share does not open for another wallet, user or environment', async () => {
    const page = await visit()
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

  it('a stored share opens only with its password, however the password is typed', async () => {
    const page = await visit()
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

  it('the page stays responsive while the worker derives the password key', async () => {
    const page = await visit()
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
  it('two tabs create a single wrapping key for a user', async () => {
    const tabs = await openTabs()
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
    const opened = await tabs[1].evaluate(async boxes => {
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

  it('two tabs change a wallet one after the other, and read the wallet at the same time', async () => {
    const [first, second] = await openTabs()
    await first.evaluate(() => {
      const locks = window.store.webLocks('local')
      return new Promise<void>(held => {
        const gate = new Promise<void>(resolve => Object.assign(window, { release: resolve }))
        locks.changing('wallet', () => {
          held()
          return gate
        })
      })
    })
    await second.evaluate(async () => {
      const log: string[] = []
      const locks = window.store.webLocks('local')
      const done = locks.reading('wallet', async () => log.push('read'))
      Object.assign(window, { log, done })
      // Wait until the lock is free: a lock that is being released counts as held.
      await locks.reading('another', async () => log.push('another'))
    })
    const waiting = await second.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      return { held: held.length, pending: pending.length, log: Reflect.get(window, 'log') }
    })
    expect(waiting).toEqual({ held: 1, pending: 1, log: ['another'] })
    await first.evaluate(() => Reflect.get(window, 'release')())
    await second.evaluate(() => Reflect.get(window, 'done'))
    expect(await second.evaluate(() => Reflect.get(window, 'log'))).toEqual(['another', 'read'])
  })

  it('closing a tab in the middle of a change releases its lock', async () => {
    const [first, second] = await openTabs()
    await first.evaluate(
      () =>
        new Promise<void>(held => {
          window.store.webLocks('local').changing('wallet', () => {
            held()
            return new Promise(() => {})
          })
        }),
    )
    const waiting = second.evaluate(() => window.store.webLocks('local').changing('wallet', async () => 'mine'))
    await first.close()
    expect(await waiting).toBe('mine')
  })
})

it('signs with the device key as JOSE does, and accepts only statements of the expected type', async () => {
  const page = await visit()
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
