/**
 * Searches everything that page and frame have stored, logged and sent after each operation for secrets. This test
 * knows them: it imports the key, and it can open the files with the backup's shares.
 */
import { readFile } from 'node:fs/promises'
import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openTestBackup } from './argon2.js'
import { exportKey } from './exporting.js'
import { revoke } from './join.js'
import { chooseFile, create, letPageOpen, nextDownload, password, press, reshare, sign } from './person.js'
import { copyOwnPart, getWallet, restore, saved } from './restore.js'
import { CODE } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

const listing = listingOf('Salaries', await createDelegateKeys())
const world = setUpWorld({ delegates: [listing] })

/** Returns everything that a document's origin stores, as one list of texts: bytes as hex, and text as it is. */
async function everythingKept(page: Page, kind: 'page' | 'frame'): Promise<readonly string[]> {
  const place = kind === 'page' ? page.mainFrame() : await getFrame(page, 'hidden')
  return place.evaluate(async () => {
    const texts: string[] = [
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      document.cookie,
    ]
    const walk = (value: unknown): void => {
      if (value instanceof ArrayBuffer) walk(new Uint8Array(value))
      else if (value instanceof Uint8Array)
        texts.push(Array.from(value, byte => byte.toString(16).padStart(2, '0')).join(''))
      else if (typeof value === 'string') texts.push(value)
      else if (typeof value === 'object' && value !== null && !(value instanceof CryptoKey))
        for (const part of Object.values(value)) walk(part)
    }
    for (const { name = '', version } of await indexedDB.databases()) {
      const database: IDBDatabase = await new Promise((resolve, reject) => {
        const opening = indexedDB.open(name, version)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of [...database.objectStoreNames]) {
        const all: unknown[] = await new Promise(resolve => {
          const reading = database.transaction(store).objectStore(store).getAll()
          reading.onsuccess = () => resolve(reading.result)
        })
        walk(all)
      }
      database.close()
    }
    for (const name of await caches.keys()) texts.push(name)
    return texts
  })
}

/** Signs a small transfer that needs no consent. */
function signTransaction(page: Page, address: string): Promise<string> {
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' })
    .add(SystemProgram.transfer({ fromPubkey: from, toPubkey: from, lamports: 1 }))
    .serialize({ requireAllSignatures: false })
    .toString('base64')
  return page.evaluate(([address, transaction]) => window.host.signTransaction(address, transaction), [
    address,
    transaction,
  ] as const)
}

function delegate(page: Page, address: string): Promise<unknown> {
  return page.evaluate(
    ([address, server, delegateName]) => {
      const policy = { programs: [], messages: true }
      const delegatePublicKey = Uint8Array.from(server)
      const { waas } = window.host.keybay
      return waas.delegateKeyShares(address, { delegatePublicKey, delegateName, policy })
    },
    [address, [...Buffer.from(listing.sealingKey, 'base64url')], listing.name] as const,
  )
}

/** Returns a secret in every form that bytes take in text. */
function forms(secret: Uint8Array): readonly string[] {
  const bytes = Buffer.from(secret)
  return [
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bs58.encode(bytes),
    [...bytes].join(','),
  ]
}

it('no operation stores, logs, sends or shows a key, seed or backup share', async () => {
  const page = await world.visit()
  const said: string[] = []
  page.on('console', message => said.push(message.text()))
  page.on('request', request => said.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers())))
  page.on('response', async response => said.push(await response.text().catch(() => '')))
  // Records what crosses between page and frame, on any port, and what the kit emits to the page.
  await page.evaluate(() => {
    const heard: string[] = []
    // Writes bytes as `forms` does, wherever they are in the value.
    const hear = (what: unknown) =>
      heard.push(
        JSON.stringify(what, (_, value: unknown) => {
          if (typeof value === 'bigint') return String(value)
          if (value instanceof ArrayBuffer) return new Uint8Array(value).join(',')
          return value instanceof Uint8Array ? value.join(',') : value
        }),
      )
    // Any script in the page may subscribe to these events.
    window.host.keybay.onAny((event, payload) => hear([event, payload]))
    const post = MessagePort.prototype.postMessage
    const listen = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')
    MessagePort.prototype.postMessage = function (this: MessagePort, ...given: unknown[]) {
      hear(given)
      return Reflect.apply(post, this, given)
    }
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...listen,
      set(this: MessagePort, handler: ((event: MessageEvent) => void) | null) {
        listen?.set?.call(
          this,
          handler &&
            ((event: MessageEvent) => {
              hear(event.data)
              handler.call(this, event)
            }),
        )
      },
    })
    Object.assign(window, { heard })
  })
  await world.signIn(page)

  // An imported key, so that this test knows what to search for.
  const key = Keypair.generate()
  const secrets = new Map<string, Uint8Array>()
  const scan = async (after: string) => {
    const heard: string[] = await page.evaluate(() => Reflect.get(window, 'heard'))
    expect(heard.length, after).toBeGreaterThan(0)
    const texts = [...said, ...heard, ...(await everythingKept(page, 'page')), ...(await everythingKept(page, 'frame'))]
    // The search finds public data, so it would find a secret there.
    expect(texts.some(text => text.includes(Buffer.from(key.publicKey.toBytes()).toString('hex')))).toBe(true)
    const found = [...secrets].flatMap(([name, secret]) =>
      forms(secret).some(form => texts.some(text => text.includes(form))) ? [name] : [],
    )
    expect(found, `found after ${after}`).toEqual([])
  }
  const learn = async (name: string, file: Uint8Array | undefined) => {
    if (!file) return
    for (const { party, secret } of (await openTestBackup(file, password)).shares)
      secrets.set(`${party} of ${name}`, secret)
  }

  secrets.set('seed', key.secretKey.slice(0, 32))
  secrets.set('key', key.secretKey)
  // Apps list wallets first, which also loads the hidden frame, the only one that may download.
  await page.evaluate(() => window.host.keybay.waas.wallets())
  const download = nextDownload(page)
  const importing = page.evaluate(
    password =>
      window.host.keybay.waas.importPrivateKey({ scheme: 'TWO_OF_THREE', backup: { provider: 'external', password } }),
    password,
  )
  const frame = await getFrame(page, 'visible')
  await frame.getByLabel('Private key').fill(bs58.encode(key.secretKey))
  await press(frame.getByRole('button', { name: 'Import' }))
  const path = await (await download).path()
  await chooseFile(frame, path)
  const { wallet } = await importing
  await learn('import', new Uint8Array(await readFile(path)))
  expect(secrets.size).toBe(3)
  await scan('import')
  const address = wallet.accountAddress
  await sign(page, address, 'hello')
  await scan('signing')
  await signTransaction(page, address)
  await scan('a transaction')
  await learn('refresh', (await reshare(page, address, 'refresh', true)).file)
  await scan('refresh')
  const { file } = await reshare(page, address, 'THREE_OF_FIVE', true)
  if (!file) throw new Error('no file')
  await learn('reshare', file)
  expect(secrets.size).toBe(6)
  await scan('resharing')
  const backingUp = page.evaluate(
    ([address, password, code]) => {
      const backup = { provider: 'dynamic', password: code } as const
      return window.host.keybay.waas.backup(address, { backup, password })
    },
    [address, password, CODE] as const,
  )
  await chooseFile(await getFrame(page, 'visible'), await saved(file))
  await letPageOpen(page)
  await backingUp
  await scan('backup')
  await sign(page, address, 'again')
  await scan('signing again')

  // The copy of the device's own share shows this test what to search for.
  const copy = await readFile(await copyOwnPart(page, address), 'utf8')
  const { keyShares }: { readonly keyShares: readonly string[] } = JSON.parse(copy)
  await learn('device', Buffer.from(keyShares[0] ?? '', 'base64'))
  expect([...secrets.keys()]).toContain('C of device')
  await scan('a copy of its part')
  await exportKey(page, address)
  await scan('export')
  const delegating = delegate(page, address)
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Allow', exact: true }))
  await delegating
  await scan('delegation')
  expect((await restore(page, address, 'add-device', file)).outcome.code).toBeUndefined()
  await scan('restore')
  const device = (await getWallet(page))?.sets.find(({ kind }) => kind === 'device')
  await revoke(page, address, device?.setId)
  await scan('revocation')
  const setting = page.evaluate(
    ([address, newPassword]) => window.host.keybay.waas.setPassword(address, { newPassword }),
    [address, password] as const,
  )
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Set it', exact: true }))
  await setting
  await scan('a password')
  const { file: another } = await create(page, 'TWO_OF_THREE')
  await learn('another wallet', another)
  await scan('creation')
}, 300_000)
