/**
 * Searches everything that page and frame have stored, logged and sent after each operation for secrets. This test
 * knows them: it imports the key, and it can open the files with the backup's shares.
 */
import { readFile } from 'node:fs/promises'
import { Keypair, PublicKey } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { everythingStored } from './overheard.js'
import { copyOwnShare, exportKey, restore, revoke, saved } from './recover.js'
import {
  agree,
  CODE,
  call,
  chooseBackup,
  chooseFile,
  create,
  FILE,
  getTransfer,
  letPageOpen,
  nextDownload,
  open,
  openTestBackup,
  password,
  readWallet,
  reshare,
  setPassword,
  signAgreed,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'
import { LISTED_SERVER } from './world-services.js'

const world = setUpWorld()

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

/** Records what crosses between page and frame, on any port, and what the kit emits to the page, in `window.heard`. */
function recordMessages(page: Page): Promise<void> {
  return page.evaluate(() => {
    const messages: string[] = []
    // Writes bytes as `forms` does, wherever they are in the value.
    const hear = (what: unknown) =>
      messages.push(
        JSON.stringify(what, (_, value: unknown) => {
          if (typeof value === 'bigint') return String(value)
          if (value instanceof ArrayBuffer) return new Uint8Array(value).join(',')
          return value instanceof Uint8Array ? value.join(',') : value
        }),
      )
    // Any script in the page may subscribe to these events.
    window.host.keybay.onAny((event, payload) => hear([event, payload]))
    const { postMessage, addEventListener } = MessagePort.prototype
    const listen = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      hear(args)
      return Reflect.apply(postMessage, this, args)
    }
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...listen,
      set(handler) {
        addEventListener.call(this, 'message', event => hear(Reflect.get(event, 'data')))
        listen?.set?.call(this, handler)
      },
    })
    Object.assign(window, { heard: messages })
  })
}

/** Records everything that page and frames log, send and receive. */
function recordTraffic(page: Page): readonly string[] {
  const traffic: string[] = []
  page.on('console', message => traffic.push(message.text()))
  page.on('request', request =>
    traffic.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers())),
  )
  page.on('response', async response => traffic.push(await response.text().catch(() => '')))
  return traffic
}

/** Searches for a wallet's secrets, as far as this test has learned them. */
function createSearch(page: Page, key: Keypair) {
  const traffic = recordTraffic(page)
  const secrets = new Map([
    ['seed', key.secretKey.slice(0, 32)],
    ['key', key.secretKey],
  ])
  return {
    secrets,
    /** Learns the shares in a backup. */
    async learn(name: string, file: Uint8Array): Promise<void> {
      const { shares } = await openTestBackup(file, password)
      for (const { party, secret } of shares) secrets.set(`${party} of ${name}`, secret)
    },
    async scan(after: string): Promise<void> {
      const messages: string[] = await page.evaluate(() => Reflect.get(window, 'heard'))
      expect(messages.length, after).toBeGreaterThan(0)
      const stored = [page.mainFrame(), await getFrame(page, 'hidden')].map(everythingStored)
      const texts = [...traffic, ...messages, ...(await Promise.all(stored)).flat()]
      // The search finds public data, so it would find a secret there.
      expect(texts.some(text => text.includes(Buffer.from(key.publicKey.toBytes()).toString('hex')))).toBe(true)
      const leakedSecrets = [...secrets].flatMap(([name, secret]) =>
        forms(secret).some(form => texts.some(text => text.includes(form))) ? [name] : [],
      )
      expect(leakedSecrets, `found after ${after}`).toEqual([])
    },
  }
}

/** Imports the key, which the user types, with a backup in a file. @returns the file */
async function importKey(page: Page, key: Keypair): Promise<Uint8Array> {
  // Apps list wallets first, which also loads the hidden frame, the only one that may download.
  await call(page, 'wallets')
  const download = nextDownload(page)
  const importing = call(page, 'importPrivateKey', { scheme: 'TWO_OF_THREE', backup: FILE })
  await (await getFrame(page, 'visible')).getByLabel('Private key').fill(bs58.encode(key.secretKey))
  await agree(page, 'Import')
  const file = await chooseBackup(page, download)
  await importing
  return file
}

/** @returns the new set's ID and the share that is sealed for the delegate */
async function delegate(page: Page, address: string) {
  const policy = { programs: [], messages: true }
  const delegatePublicKey = new Uint8Array(Buffer.from(LISTED_SERVER.sealingKey, 'base64url'))
  const request = { delegatePublicKey, delegateName: LISTED_SERVER.name, policy }
  const delegating = call(page, 'delegateKeyShares', address, request)
  const trust = 'Its operator and both wallet services together could move everything.'
  await (await getFrame(page, 'visible')).getByText(trust).waitFor()
  await agree(page, 'Allow')
  return delegating
}

it('no operation stores, logs, sends or shows a key, seed or backup share', async () => {
  const page = await world.visit()
  // An imported key, so that this test knows what to search for.
  const key = Keypair.generate()
  const address = key.publicKey.toBase58()
  const { secrets, learn, scan } = createSearch(page, key)
  await recordMessages(page)
  await world.signIn(page)
  await learn('import', await importKey(page, key))
  expect(secrets.size).toBe(3)
  await scan('import')
  await signAgreed(page, address, 'hello')
  await scan('signing')
  await signAgreed(page, address, getTransfer(address, { lamports: 1, to: new PublicKey(address) }), 'signTransaction')
  await scan('a transaction')
  await learn('refresh', (await reshare(page, address, 'refresh', true)).file)
  await scan('refresh')
  const { file } = await reshare(page, address, 'THREE_OF_FIVE', true)
  await learn('reshare', file)
  expect(secrets.size).toBe(6)
  await scan('resharing')
  const backingUp = call(page, 'backup', address, { backup: { provider: 'dynamic', password: CODE }, password })
  await chooseFile(await getFrame(page, 'visible'), await saved(file))
  await letPageOpen(page)
  await backingUp
  await scan('backup')
  await signAgreed(page, address, 'again')
  await scan('signing again')

  // The copy of the device's own share shows this test what to search for.
  const copy = await readFile(await copyOwnShare(page, address), 'utf8')
  const { keyShares }: { readonly keyShares: readonly string[] } = JSON.parse(copy)
  await learn('device', Buffer.from(keyShares[0] ?? '', 'base64'))
  expect([...secrets.keys()]).toContain('C of device')
  await scan('a copy of the share')
  await exportKey(page, address)
  await scan('export')
  await delegate(page, address)
  await scan('delegation')
  expect((await restore(page, address, 'add-device', file)).outcome.code).toBeUndefined()
  await scan('restore')
  const device = (await readWallet(page))?.sets.find(({ kind }) => kind === 'device')
  await revoke(page, address, device?.setId)
  await scan('revocation')
  await setPassword(page, address)
  await scan('a password')
  await learn('another wallet', (await create(page, 'TWO_OF_THREE')).file)
  await scan('creation')
}, 300_000)

it('[S7.3] delegateKeyShares brings the page a share that is sealed for the delegate, of a set of its own', async () => {
  const { page, address, wallet } = await open(world)
  const { setId, sealedShare } = await delegate(page, address)
  expect(JSON.parse(Buffer.from(sealedShare).toString())).toMatchObject({ address, setId, walletId: wallet.walletId })
  expect(wallet.sets.map(set => set.setId)).not.toContain(setId)
})
