/** Tests custody wallets in Chromium, with its own WebAuthn and virtual authenticators, against the real API and custody. */
import { createServer, type Server } from 'node:http'
import type { AccountApi } from '@keybay/account'
import type { Core, WalletConnector } from '@keybay/kernel'
import { type World as Api, startWorld as startApi } from '@keybay/sandbox-api/testing/client'
import { type Custody, startCustody } from '@keybay/sandbox-custody'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { generateP256KeyPair } from '@turnkey/crypto'
import bs58 from 'bs58'
import { build } from 'esbuild'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { TurnkeyApi } from '../src/index.js'

declare global {
  interface Window {
    custodyHost: Core & { readonly account: AccountApi; readonly turnkey: TurnkeyApi }
    custodyWallet: WalletConnector['wallet']
  }
}

const TIMEOUT_MS = 240_000
const HTML = '<!doctype html><title>test</title><script type="module" src="/page.js"></script>'

async function scriptFor(baseApiUrl: string, baseUrl: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: import.meta.dirname,
      contents: `
        import { account } from '@keybay/account'
        import { createKeybay } from '@keybay/kernel'
        import { email } from '@keybay/one-time-code'
        import { turnkey } from '@keybay/turnkey'
        const keybay = createKeybay({
          appName: 'Test', environmentId: 'local', baseApiUrl: '${baseApiUrl}',
          plugins: [account(), email(), turnkey({ baseUrl: '${baseUrl}' })],
        })
        window.custodyWallet = keybay.connectors.get('turnkey').wallet
        window.custodyHost = keybay`,
    },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

let server: Server
let api: Api
let custody: Custody
let chromium: Browser
let origin: string
beforeAll(async () => {
  let script = ''
  server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : HTML)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  api = await startApi({
    environments: { local: { name: 'Acme', allowedOrigins: [origin], custody: { enabled: true } } },
    custody: {
      get baseUrl() {
        return custody.internalUrl
      },
      operator: () => custody.operatorKey && { organizationId: custody.organizationId, ...custody.operatorKey },
    },
  })
  custody = await startCustody({ origins: [origin], smtpUrl: api.inbox.smtpUrl })
  chromium = await launchBrowser()
  script = await scriptFor(api.api.internalUrl, custody.internalUrl)
}, TIMEOUT_MS)
afterAll(async () => {
  await chromium?.close()
  await custody?.stop()
  await api?.stop()
  server.close()
})

interface Device {
  readonly page: Page
  readonly cdp: CDPSession
  authenticatorId: string
  readonly troubles: readonly string[]
}
let contexts: BrowserContext[] = []
afterEach(async () => {
  for (const context of contexts) await context.close()
  contexts = []
})

async function plugIn(cdp: CDPSession): Promise<string> {
  const options = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...options },
  })
  return authenticatorId
}
/** Creates a browser profile with its own authenticator. */
async function newDevice(): Promise<Device> {
  const context = await chromium.newContext()
  contexts.push(context)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', error => troubles.push(String(error)))
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const authenticatorId = await plugIn(cdp)
  await page.goto(origin)
  await page.waitForFunction(() => window.custodyHost !== undefined)
  return { page, cdp, authenticatorId, troubles }
}

/** Returns the newest message, or the next one after `after`. */
async function mailTo(to: string, after = ''): Promise<{ id: string; text: string }> {
  const query = new URLSearchParams({ to, wait: '30000', ...(after && { after }) })
  const response = await fetch(`http://127.0.0.1:${api.inbox.port}/api/messages/latest?${query}`)
  if (!response.ok) throw new Error(`Nothing arrived for ${to}`)
  return response.json()
}

async function signIn({ page }: Device, address: string, after?: string): Promise<string> {
  const signedIn = page.evaluate(email => window.custodyHost.connect('email', { email }), address)
  await page.waitForFunction(() => window.custodyHost.prompts.list().length > 0)
  const { id, text } = await mailTo(address, after)
  await page.evaluate(
    async code => {
      const [prompt] = window.custodyHost.prompts.list()
      if (prompt?.type === 'one-time-code') prompt.answer(await prompt.submit(code))
    },
    /\b(\d{6})\b/.exec(text)?.[1] ?? '',
  )
  await signedIn
  return id
}

function connect({ page }: Device): Promise<string> {
  return page.evaluate(async () => {
    await window.custodyHost.connect('turnkey')
    return window.custodyWallet.accounts[0]?.address ?? ''
  })
}

function sign({ page }: Device, message: string): Promise<number[]> {
  return page.evaluate(async text => {
    const [account] = window.custodyWallet.accounts
    const feature = window.custodyWallet.features['solana:signMessage']
    if (!account || !feature) throw new Error('There is no account')
    const [signed] = await feature.signMessage({ account, message: new TextEncoder().encode(text) })
    return [...(signed?.signature ?? [])]
  }, message)
}

async function verifies(address: string, message: string, signature: readonly number[]): Promise<boolean> {
  const raw = new Uint8Array(bs58.decode(address))
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), new TextEncoder().encode(message))
}

async function counts({ cdp, authenticatorId }: Device) {
  return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.map(({ signCount }) => signCount)
}

it(
  'creates a wallet with a passkey, adds a second passkey that the first confirms, and signs with either',
  async () => {
    const device = await newDevice()
    await signIn(device, 'mara@example.com')
    await device.page.evaluate(() => window.custodyHost.turnkey.createWallet())
    const address = await connect(device)
    expect(await verifies(address, 'one', await sign(device, 'one'))).toBe(true)
    expect(await verifies(address, 'two', await sign(device, 'two'))).toBe(true)
    expect(await counts(device)).toHaveLength(1)
    const { authenticatorId } = device
    const { credentials } = await device.cdp.send('WebAuthn.getCredentials', { authenticatorId })
    await device.page.evaluate(() => window.custodyHost.turnkey.addPasskey('Second'))
    expect(await counts(device)).toHaveLength(2)
    await device.page.evaluate(() => window.custodyHost.turnkey.endSession())
    // Simulates the loss of the first one.
    for (const { credentialId } of credentials)
      await device.cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    expect(await verifies(address, 'three', await sign(device, 'three'))).toBe(true)
    expect(await counts(device)).toHaveLength(1)
    const names = await device.page.evaluate(async () =>
      (await window.custodyHost.turnkey.user()).passkeys.map(({ name }) => name),
    )
    expect(names.sort()).toEqual(['Passkey', 'Second'])
    expect(device.troubles).toEqual([])
  },
  TIMEOUT_MS,
)

it(
  'a page script cannot export or add a passkey with the session key: the authenticator verifies its user',
  async () => {
    const device = await newDevice()
    const { page, cdp, authenticatorId } = device
    await signIn(device, 'olga@example.com')
    await page.evaluate(() => window.custodyHost.turnkey.createWallet())
    const address = await connect(device)
    expect(await verifies(address, 'one', await sign(device, 'one'))).toBe(true)
    const { publicKeyUncompressed } = generateP256KeyPair()
    const exportBy = () =>
      page.evaluate(
        ([address, targetPublicKey]) =>
          window.custodyHost.turnkey
            .exportWalletAccount(address, { targetPublicKey })
            .then(bundle => ({ bundle: JSON.parse(bundle) }))
            .catch((error: { code: string }) => ({ code: error.code })),
        [address, publicKeyUncompressed] as const,
      )
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    expect(await exportBy()).toEqual({ code: 'user_rejected' })
    expect(await verifies(address, 'two', await sign(device, 'two'))).toBe(true)
    const done = await page.evaluate(async () =>
      (await window.custodyHost.turnkey.activities()).map(({ type }) => type),
    )
    expect(done).not.toContain('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    expect(await exportBy()).toMatchObject({ bundle: { dataSignature: expect.any(String) } })
    expect(device.troubles).toEqual([])
  },
  TIMEOUT_MS,
)

it(
  'after a lost device, the mailed code works only in the new profile, which then signs with its own passkey',
  async () => {
    const lost = await newDevice()
    const first = await signIn(lost, 'nora@example.com')
    await lost.page.evaluate(() => window.custodyHost.turnkey.createWallet())
    const address = await connect(lost)
    await lost.page.context().close()

    const [found, other] = [await newDevice(), await newDevice()]
    const second = await signIn(found, 'nora@example.com', first)
    const begun = await found.page.evaluate(() => window.custodyHost.turnkey.beginRecovery())
    const mail = await mailTo('nora@example.com', second)
    const code = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail.text)?.[0] ?? ''
    const complete = ({ page }: Device) =>
      page.evaluate(
        ([code, recoveryUserId]) =>
          window.custodyHost.turnkey
            .completeRecovery({ code, recoveryUserId, email: 'nora@example.com' })
            .then(wallets => wallets.length)
            .catch((error: Error) => error.message),
        [code, begun.recoveryUserId ?? ''] as const,
      )
    await signIn(other, 'nora@example.com', mail.id)
    expect(await complete(other)).toBe('The code is invalid or expired.')
    expect(await complete(found)).toBe(2)
    expect(await connect(found)).toBe(address)
    expect(await verifies(address, 'found', await sign(found, 'found'))).toBe(true)
    expect(await counts(found)).toHaveLength(1)
    expect(found.troubles).toEqual([])
  },
  TIMEOUT_MS,
)
