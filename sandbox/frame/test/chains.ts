/** Uses EVM and Bitcoin accounts as a user does; other implementations read what the accounts sign. */
import { schnorr } from '@noble/curves/secp256k1.js'
import { Address, Transaction as BitcoinTransaction, NETWORK, OutScript } from '@scure/btc-signer'
import { eip191Signer, recoverAddressTyped } from 'micro-eth-signer'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { chooseBackup, type Made, nextDownload, password, press } from './person.js'
import type { Outcome } from './restore.js'
import { getFrame, type World } from './world.js'

export const CHAINS = ['EVM', 'BTC'] as const
export type OtherChain = (typeof CHAINS)[number]

/** Opens a page of a host app that lists accounts of all chains. */
export async function visitAll(world: World, context?: BrowserContext): Promise<Page> {
  const page = await world.visit(context)
  await page.goto(`${page.url()}&chains=all`)
  await page.waitForFunction(() => 'host' in window)
  return page
}

export async function createOther(page: Page, chain: OtherChain, hasBackup = false): Promise<Made> {
  const download = nextDownload(page)
  const making = page.evaluate(
    ([chain, hasBackup, password]) => {
      const backup = hasBackup ? ({ provider: 'external', password } as const) : undefined
      return window.host.keybay.waas.createWallet({ chain, scheme: hasBackup ? 'TWO_OF_THREE' : 'TWO_OF_TWO', backup })
    },
    [chain, hasBackup, password] as const,
  )
  const file = hasBackup ? await chooseBackup(page, download) : undefined
  const { wallet } = await making
  return { address: wallet.accountAddress, wallet, file }
}

/** EIP-712 typed data, as pages have it. */
export const TYPED = {
  types: {
    Order: [
      { name: 'taker', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  domain: { name: 'Exchange', chainId: 1 },
  message: { taker: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB', amount: '12345' },
} as const
/** Recovers the signer. The other implementation's types want bigints, where JSON has text. */
export function typedSigner(signature: string): unknown {
  return Reflect.apply(recoverAddressTyped, undefined, [signature, structuredClone(TYPED)])
}

/** Reads the question in the visible frame, and agrees. @returns the question's text */
export async function agree(page: Page): Promise<string> {
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Sign', exact: true })
  await button.waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  await press(button)
  return words
}

export function getScript(address: string): Uint8Array {
  return OutScript.encode(Address(NETWORK).decode(address))
}
const MESSAGE = 'Grüße'
const AMOUNT = 150_000n
/** Builds a PSBT that sends one coin of the account back to itself. */
function getPsbt(address: string): string {
  const transaction = new BitcoinTransaction()
  const witnessUtxo = { amount: AMOUNT, script: getScript(address) }
  transaction.addInput({ txid: '11'.repeat(32), index: 0, witnessUtxo })
  transaction.addOutputAddress(address, AMOUNT - 1_000n)
  return Buffer.from(transaction.toPSBT()).toString('base64')
}

const CALLS = {
  EVM: (page: Page, address: string): Promise<Outcome> =>
    page.evaluate(([address, message]) => window.host.outcome(window.host.signEvmMessage(address, message)), [
      address,
      MESSAGE,
    ] as const),
  BTC: (page: Page, address: string): Promise<Outcome> =>
    page.evaluate(([address, psbt]) => window.host.outcome(window.host.signPsbt(address, psbt)), [
      address,
      getPsbt(address),
    ] as const),
}
/** Starts a signature that waits for the user. */
export function beginSigning(page: Page, chain: OtherChain, address: string): Promise<Outcome> {
  const signing = CALLS[chain](page, address)
  signing.catch(() => undefined)
  return signing
}

/** Checks the signature with another implementation. */
export function expectSigned(chain: OtherChain, address: string, { value, code }: Outcome): void {
  expect(code).toBeUndefined()
  const text = String(value)
  if (chain === 'EVM') {
    expect(eip191Signer.recoverAddress(text, MESSAGE)).toBe(address)
    return
  }
  const transaction = BitcoinTransaction.fromPSBT(Buffer.from(text, 'base64'))
  const script = getScript(address)
  const { tapKeySig = new Uint8Array() } = transaction.getInput(0)
  const sighash = transaction.preimageWitnessV1(0, [script], 0, [AMOUNT])
  expect(schnorr.verify(tapKeySig, sighash, script.subarray(2))).toBe(true)
  transaction.finalize()
}

/** Checks that the account signs in this browser. */
export async function expectSigns(page: Page, chain: OtherChain, address: string): Promise<void> {
  const signing = beginSigning(page, chain, address)
  await agree(page)
  expectSigned(chain, address, await signing)
}
