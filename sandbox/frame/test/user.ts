/** Acts as a user of an MPC wallet, and checks its signatures without our code. */

import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { press } from '@keybay/sandbox-tools/testing/press'
import { type BackupSecret, type OpenedBackup, openBackup } from '@keybay/waas/mpc'
import type { WaasWallet } from '@keybay/waas/protocol'
import { argon2id } from '@noble/hashes/argon2.js'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Download, Frame, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import type { Host, Signing } from './host.js'
import { inspectOnce } from './inspect.js'
import { getFrame, type World } from './world.js'

export { press }

export const password = 'correct horse'
/** A backup in a file, or in the page's own storage if the page has one. */
export const FILE = { provider: 'external', password } as const
/** Recovery code that a page supplies. */
export const CODE = 'KEYB-AYTE-STC0-DEF0-RTHE-FA0T-MATR-1X9Q'

type Waas = Host['keybay']['waas']
type Result<K extends keyof Waas> = Awaited<ReturnType<Waas[K]>>
export interface Outcome {
  readonly value?: unknown
  readonly code?: string
  readonly message?: string
}

/** Calls an operation of the wallet in the page. */
export function call<K extends keyof Waas>(page: Page, method: K, ...args: Parameters<Waas[K]>): Promise<Result<K>> {
  const callArgs: readonly [keyof Waas, readonly unknown[]] = [method, args]
  return page.evaluate(([method, args]) => window.host.call(method, args), callArgs)
}

/** Calls an operation of the wallet in the page, and returns its outcome. */
export function attempt<K extends keyof Waas>(page: Page, method: K, ...args: Parameters<Waas[K]>): Promise<Outcome> {
  const callArgs: readonly [keyof Waas, readonly unknown[]] = [method, args]
  const outcome = page.evaluate(([method, args]) => window.host.outcome(window.host.call(method, args)), callArgs)
  // A test that fails before it waits for this reports its own error.
  outcome.catch(() => undefined)
  return outcome
}

/** @returns the signature or the signed transaction, as `Signing` returns it */
export function sign(
  page: Page,
  address: string,
  content: string,
  how: keyof Signing = 'signMessage',
): Promise<string> {
  const request = [how, address, content] as const
  return page.evaluate(([how, address, content]) => window.host[how](address, content), request)
}

export function attemptSign(
  page: Page,
  address: string,
  content = 'hello',
  how: keyof Signing = 'signMessage',
): Promise<Outcome> {
  const request = [how, address, content] as const
  const outcome = page.evaluate(([how, ...content]) => window.host.outcome(window.host[how](...content)), request)
  outcome.catch(() => undefined)
  return outcome
}

/** Verifies a signature with Node's OpenSSL. */
export function isSignature(address: string, message: string | Uint8Array, signature: string): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bs58.decode(address)])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'))
}

/** Resolves when the page shows the wallet's window. Waits in the page, and so costs nothing if no window opens. */
export function windowOpens(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>(resolve => {
        const look = () => {
          if (!document.querySelector('iframe:not([hidden])')) return
          observer.disconnect()
          resolve()
        }
        const observer = new MutationObserver(look)
        observer.observe(document, { subtree: true, childList: true, attributeFilter: ['hidden'] })
        look()
      }),
  )
}

/** Signs, and agrees if the wallet's window opens. */
export async function attemptAgreed(...request: Parameters<typeof attemptSign>): Promise<Outcome> {
  const [page] = request
  const outcome = attemptSign(...request)
  const button = page.frameLocator('iframe:not([hidden])').getByRole('button', { name: 'Sign', exact: true })
  const asked = windowOpens(page)
    .then(() => button.waitFor())
    .then(
      () => true,
      () => false,
    )
  if (await Promise.race([asked, outcome.then(() => false)])) await press(button)
  return outcome
}

/** Signs with the user's consent. @returns the signature or the signed transaction */
export async function signAgreed(...request: Parameters<typeof attemptSign>): Promise<string> {
  const { value, ...failure } = await attemptAgreed(...request)
  expect(failure).toEqual({})
  return String(value)
}

/** Checks that this browser signs once the user agrees. */
export async function expectSigns(page: Page, address: string, message = 'hello'): Promise<void> {
  expect(isSignature(address, message, await signAgreed(page, address, message))).toBe(true)
}

interface Transfer {
  readonly lamports: number
  /** Default: a new account. */
  readonly to?: PublicKey
  readonly blockhash?: string
}
/** @returns an unsigned transaction, base64 */
export function getTransfer(address: string, ...transfers: readonly Transfer[]): string {
  const from = new PublicKey(address)
  const recentBlockhash = transfers[0]?.blockhash ?? '11111111111111111111111111111111'
  const transaction = new Transaction({ feePayer: from, recentBlockhash })
  for (const { lamports, to = Keypair.generate().publicKey } of transfers)
    transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports }))
  return transaction.serialize({ requireAllSignatures: false }).toString('base64')
}

/** Opens a page and signs a user in. @param user an existing one; default: a new one */
export async function enter(world: World, user?: string, page?: Page) {
  const entered = page ?? (await world.visit(await world.newContext()))
  return { page: entered, user: await world.signIn(entered, user) }
}

/** Signs a new user in, and creates a wallet. */
export async function open(world: World, scheme: ThresholdSignatureScheme = 'TWO_OF_TWO', exportable = true) {
  const entered = await enter(world)
  return { ...entered, ...(await create(entered.page, scheme, exportable)) }
}

/** Playwright's own size of a page. */
const VIEWPORT = { width: 1280, height: 720 }

/**
 * Opens one wallet of two shares for the tests of a file that change neither the wallet nor what the browser stores.
 * Call it once, at the top. @returns a function that returns the wallet and its page
 */
export function setUpWallet(world: World): () => ReturnType<typeof open> {
  let opening: ReturnType<typeof open> | undefined
  const close = async () => {
    const opened = await opening?.catch(() => undefined)
    opening = undefined
    await opened?.page.context().close()
  }
  // The next test must not find what a test left that stopped half-way.
  afterEach(({ task }) => (task.result?.state === 'fail' ? close() : undefined))
  afterAll(close)
  return async () => {
    opening ??= open(world)
    const opened = await opening
    world.keepContext(opened.page.context())
    await opened.page.setViewportSize(VIEWPORT)
    return opened
  }
}

/** Presses a button of the visible frame. */
export async function agree(page: Page, name: string): Promise<Frame> {
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name, exact: true })
  await button.waitFor()
  await inspectOnce(page, frame)
  await press(button)
  return frame
}

export interface Made {
  readonly address: string
  readonly wallet: WaasWallet
  /** Envelope that the user has; empty if the scheme has no backup. */
  readonly file: Uint8Array
}

/** Chooses a file in the visible frame. */
export async function chooseFile(frame: Frame, path: string): Promise<void> {
  await frame.getByLabel('Backup file').setInputFiles(path)
  await press(frame.getByRole('button', { name: 'Check the file' }))
}
/** Chooses the downloaded file again. */
export async function chooseBackup(page: Page, download: Promise<Download>): Promise<Uint8Array> {
  const path = await (await download).path()
  await chooseFile(await getFrame(page, 'visible'), path)
  return new Uint8Array(await readFile(path))
}
/** Returns the next download of a page, which may never come. */
export function nextDownload(page: Page): Promise<Download> {
  const download = page.waitForEvent('download')
  download.catch(() => undefined)
  return download
}
/** Opens an envelope at the cost that vite.config.ts defines for tests. */
export function openTestBackup(envelope: Uint8Array | undefined, secret: BackupSecret): Promise<OpenedBackup> {
  const derive = (password: Uint8Array, salt: Uint8Array) => argon2id(password, salt, { m: 8, t: 1, p: 1, dkLen: 32 })
  return openBackup(envelope ?? new Uint8Array(), secret, derive)
}

/** Creates a wallet; its backup, if the scheme has one, goes to a file that is read back. */
export async function create(
  page: Page,
  scheme: ThresholdSignatureScheme,
  exportable = true,
  chain: 'SOL' | 'EVM' | 'BTC' = 'SOL',
): Promise<Made> {
  const download = nextDownload(page)
  const backup = scheme === 'TWO_OF_TWO' ? undefined : FILE
  const making = call(page, 'createWallet', { chain, scheme, exportable, backup })
  const file = backup ? await chooseBackup(page, download) : new Uint8Array()
  const { wallet } = await making
  return { address: wallet.accountAddress, wallet, file }
}

/**
 * Reshares a 2-of-2 wallet to 2-of-3; the frame seals the backup under `password`, and the backup waits for a place.
 */
export async function createWaiting(page: Page, secret = password): Promise<string> {
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_TWO', password: secret })
  const resharing = call(page, 'reshare', wallet.accountAddress, { to: 'TWO_OF_THREE', password: secret })
  await letPageOpen(page)
  expect((await resharing).wallet).toMatchObject({ epoch: 1, backup: { state: 'none', providers: [] } })
  return wallet.accountAddress
}

/** Agrees to a new backup that the page can open, because the page chose its secret. */
export async function letPageOpen(page: Page): Promise<Frame> {
  await page.bringToFront()
  await (await getFrame(page, 'visible')).getByText('the page can open it').waitFor()
  return agree(page, 'Confirm')
}

/** Changes the shares; the new backup, if any, goes to a file that is read back. */
export async function reshare(
  page: Page,
  address: string,
  to: ThresholdSignatureScheme | 'refresh',
  hasBackup: boolean,
): Promise<Made> {
  const download = nextDownload(page)
  const backup = hasBackup ? FILE : undefined
  const changing =
    to === 'refresh' ? call(page, 'refresh', address, { backup }) : call(page, 'reshare', address, { to, backup })
  if (hasBackup) await letPageOpen(page)
  const file = hasBackup ? await chooseBackup(page, download) : new Uint8Array()
  const { wallet } = await changing
  return { address: wallet.accountAddress, wallet, file }
}

export async function readWallet(page: Page): Promise<WaasWallet | undefined> {
  return (await call(page, 'wallets'))[0]
}

/** Sets a password that the page chose. */
export async function setPassword(page: Page, address: string, newPassword = password): Promise<void> {
  const setting = attempt(page, 'setPassword', address, { newPassword })
  await agree(page, 'Set it')
  expect((await setting).code).toBeUndefined()
}

/** Enrols a second factor. @returns the secret of an authenticator app */
export function enrolTotp(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { totp, confirm } = await window.host.keybay.account.mfa.add('totp')
    await confirm(await window.totp(totp?.secret ?? ''))
    return totp?.secret ?? ''
  })
}

/** Keeps the code that is shown, and types the requested group of it. @returns the code */
export async function takeCode(frame: Frame): Promise<string> {
  const code = (await frame.locator('pre.code').textContent()) ?? ''
  await press(frame.getByRole('button', { name: 'Continue' }))
  const label = (await frame.locator('label', { hasText: /^Group/ }).textContent()) ?? ''
  await frame.getByLabel(label).fill(code.split('-')[Number(/\d/.exec(label)?.[0]) - 1] ?? '')
  await press(frame.getByRole('button', { name: 'Continue' }))
  return code
}

export async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.waitForFunction(() => 'host' in window)
}

/** Clicks a button that a user could not press. The click may remove the frame before Playwright's call ends. */
export async function clickUnseen(button: Locator): Promise<void> {
  try {
    await button.evaluate((element: HTMLButtonElement) => void setTimeout(() => element.click()))
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('Frame was detached'))) throw error
  }
}
