/**
 * Searches everything that page and frame have stored, logged and sent after each operation for secrets. This test
 * knows them: it imports the key, and it can open the files with the backup's shares.
 */
import { readFile } from 'node:fs/promises'
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import type { ImportOptions } from '@keybay/waas'
import { type BackupSecret, readBackupHeader } from '@keybay/waas/mpc'
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
    async learn(name: string, file: Uint8Array, secret: BackupSecret = password): Promise<void> {
      const { shares } = await openTestBackup(file, secret)
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

/** Begins to import the key, which the user types. @returns a function that resolves when the wallet is there */
async function beginImport(page: Page, key: Keypair, options: ImportOptions) {
  // Apps list wallets first, which also loads the hidden frame, the only one that may download.
  await call(page, 'wallets')
  const importing = call(page, 'importPrivateKey', options)
  await (await getFrame(page, 'visible')).getByLabel('Private key').fill(bs58.encode(key.secretKey))
  await agree(page, 'Import')
  return () => importing
}

/** Imports the key with a backup in a file. @returns the file */
async function importKey(page: Page, key: Keypair): Promise<Uint8Array> {
  const download = nextDownload(page)
  const imported = await beginImport(page, key, { scheme: 'TWO_OF_THREE', backup: FILE })
  const file = await chooseBackup(page, download)
  await imported()
  return file
}

/** Records the passkeys' outputs and the envelopes that they seal, which open with the output. */
async function recordPasskeyBackups(page: Page) {
  const outputs: Uint8Array[] = []
  const envelopes: Uint8Array[] = []
  await page.exposeFunction('keepOutput', (output: readonly number[]) => void outputs.push(Uint8Array.from(output)))
  await page.addInitScript(() => {
    const { getClientExtensionResults } = PublicKeyCredential.prototype
    PublicKeyCredential.prototype.getClientExtensionResults = function () {
      const results = getClientExtensionResults.call(this)
      const first = results.prf?.results?.first
      if (first instanceof ArrayBuffer) Reflect.get(window, 'keepOutput')([...new Uint8Array(first)])
      return results
    }
  })
  page.on('request', request => {
    if (request.method() === 'POST' && /\/backups\//.test(request.url()))
      envelopes.push(new Uint8Array(Buffer.from(request.postDataJSON().envelope, 'base64url')))
  })
  return { outputs, envelopes }
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

it('a first backup under a passkey stores, logs, sends or shows no key, backup share or output of the passkey', async () => {
  const page = await world.visit()
  await addAuthenticator(page)
  const { outputs, envelopes } = await recordPasskeyBackups(page)
  const key = Keypair.generate()
  const address = key.publicKey.toBase58()
  const { secrets, learn, scan } = createSearch(page, key)
  await recordMessages(page)
  await world.signIn(page)
  await (await beginImport(page, key, { scheme: 'TWO_OF_TWO' }))()
  await scan('import')
  const backingUp = call(page, 'backup', address)
  await agree(page, 'Back up')
  await backingUp
  const [output = Uint8Array.of()] = outputs
  const [envelope = Uint8Array.of()] = envelopes
  const { kdf } = readBackupHeader(envelope)
  if (kdf.name !== 'webauthn-prf') throw new Error(`sealed by ${kdf.name}`)
  secrets.set('output', output)
  await learn('the first backup', envelope, { ...kdf, output })
  expect([...secrets.keys()]).toEqual(['seed', 'key', 'output', 'B1 of the first backup'])
  await scan('the first backup')
  // The user's passkey opens it in this browser, which has the device's share.
  const stored = await everythingStored(await getFrame(page, 'hidden'))
  expect(stored.join()).not.toContain(Buffer.from(envelope).toString('hex'))
  await signAgreed(page, address, 'hello')
  await scan('signing')
}, 120_000)

it('[S7.3] delegateKeyShares brings the page a share that is sealed for the delegate, of a set of its own', async () => {
  const { page, address, wallet } = await open(world)
  const { setId, sealedShare } = await delegate(page, address)
  expect(JSON.parse(Buffer.from(sealedShare).toString())).toMatchObject({ address, setId, walletId: wallet.walletId })
  expect(wallet.sets.map(set => set.setId)).not.toContain(setId)
})
