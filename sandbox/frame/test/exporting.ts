/** Exports and reads a wallet's key as a user does. */
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Frame, Page } from 'playwright-core'
import { press } from './person.js'
import type { Outcome } from './restore.js'
import { getFrame } from './world.js'

/**
 * Starts an export in a container of the page. With `covered`, an overlay covers the container and lets clicks through.
 */
export function beginExport(page: Page, address: string, covered = false): Promise<Outcome> {
  return page.evaluate(
    ([address, covered]) => {
      const displayContainer = document.createElement('div')
      displayContainer.style.cssText = 'width:420px;height:640px;position:relative'
      document.body.append(displayContainer)
      const cover = document.createElement('div')
      cover.style.cssText = 'position:fixed;inset:0;background:#fff;opacity:.9;pointer-events:none;z-index:9'
      if (covered) document.body.append(cover)
      cover.id = 'cover'
      return window.host.outcome(window.host.keybay.waas.exportPrivateKey(address, { displayContainer }))
    },
    [address, covered] as const,
  )
}

/**
 * Returns the shown key. Either the button or the key exists: a window that loses focus hides the key, so the button is
 * pressed again.
 */
export async function showKey(frame: Frame): Promise<string> {
  const button = frame.getByRole('button', { name: 'Show the key' })
  const key = frame.getByLabel('Private key').filter({ hasText: /./ })
  for (;;) {
    const text = await button.or(key).textContent()
    if (text && text !== 'Show the key') return text
    await press(button)
  }
}

/** Checks that web3.js signs a transfer from this address with the key alone. */
export function spends(text: string, address: string): boolean {
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 1 }),
  )
  transaction.sign(Keypair.fromSecretKey(bs58.decode(text)))
  return transaction.verifySignatures()
}

export interface Shown {
  readonly text: string
  /** Other text in the window. */
  readonly words: string
}
/** Exports a key, from the question to the end. */
export async function exportKey(page: Page, address: string): Promise<Shown> {
  const exporting = beginExport(page, address)
  const frame = await getFrame(page, 'visible')
  await press(frame.getByRole('button', { name: 'Export the key' }))
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  const text = await showKey(frame)
  await press(frame.getByRole('button', { name: 'Done' }))
  const { code } = await exporting
  if (code !== undefined) throw new Error(code)
  return { text, words }
}
