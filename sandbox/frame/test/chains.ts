/** Uses EVM and Bitcoin accounts as a user does; other implementations read what the accounts sign. */
import { schnorr } from '@noble/curves/secp256k1.js'
import { Address, Transaction as BitcoinTransaction, NETWORK, OutScript } from '@scure/btc-signer'
import { eip191Signer, recoverAddressTyped } from 'micro-eth-signer'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { agree, attemptSign, create, enter, type Made, type Outcome } from './user.js'
import { getFrame, type World } from './world.js'

export const CHAINS = ['EVM', 'BTC'] as const
export type OtherChain = (typeof CHAINS)[number]

/** Opens a page of a host app that lists accounts of all chains, and signs a user in. */
export async function enterAll(world: World, user?: string) {
  const page = await world.visit(await world.newContext())
  await page.goto(`${page.url()}&chains=all`)
  await page.waitForFunction(() => 'host' in window)
  return enter(world, user, page)
}

export function createOther(page: Page, chain: OtherChain): Promise<Made> {
  return create(page, 'TWO_OF_TWO', true, chain)
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
export async function agreeToSign(page: Page): Promise<string> {
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('button', { name: 'Sign', exact: true }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  await agree(page, 'Sign')
  return words
}

export function getScript(address: string): Uint8Array {
  return OutScript.encode(Address(NETWORK).decode(address))
}

interface Coin {
  readonly amount: bigint
  /** Undefined: the PSBT does not say which output is spent. */
  readonly script: Uint8Array | undefined
}
/** Builds a PSBT, base64. */
export function getPsbt(inputs: readonly Coin[], outputs: readonly (readonly [address: string, amount: bigint])[]) {
  const transaction = new BitcoinTransaction()
  for (const [index, { amount, script }] of inputs.entries())
    transaction.addInput({ txid: '11'.repeat(32), index, ...(script && { witnessUtxo: { amount, script } }) })
  for (const [address, amount] of outputs) transaction.addOutputAddress(address, amount)
  return Buffer.from(transaction.toPSBT()).toString('base64')
}

/** Reads a signed PSBT, and checks the account's signature of one input. */
export function readSignedPsbt(psbt: string, inputs: readonly Coin[], index = 0): BitcoinTransaction {
  const transaction = BitcoinTransaction.fromPSBT(Buffer.from(psbt, 'base64'))
  const scripts = inputs.map(({ script = new Uint8Array() }) => script)
  const amounts = inputs.map(({ amount }) => amount)
  const { tapKeySig = new Uint8Array() } = transaction.getInput(index)
  const sighash = transaction.preimageWitnessV1(index, scripts, 0, amounts)
  expect(schnorr.verify(tapKeySig, sighash, (scripts[index] ?? new Uint8Array()).subarray(2))).toBe(true)
  return transaction
}

export const MESSAGE = 'Grüße'
const AMOUNT = 150_000n

function getOwnCoin(address: string): readonly [Coin] {
  return [{ amount: AMOUNT, script: getScript(address) }]
}
/** Starts a signature that waits for the user: of a message, or of a PSBT that sends a coin back to the account. */
export function beginSigning(page: Page, chain: OtherChain, address: string): Promise<Outcome> {
  if (chain === 'EVM') return attemptSign(page, address, MESSAGE, 'signEvmMessage')
  return attemptSign(page, address, getPsbt(getOwnCoin(address), [[address, AMOUNT - 1_000n]]), 'signPsbt')
}

/** Checks the signature with another implementation. */
export function expectSigned(chain: OtherChain, address: string, { value, code }: Outcome): void {
  expect(code).toBeUndefined()
  if (chain === 'EVM') expect(eip191Signer.recoverAddress(String(value), MESSAGE)).toBe(address)
  else readSignedPsbt(String(value), getOwnCoin(address)).finalize()
}

/** Checks that the account signs in this browser. */
export async function expectChainSigns(page: Page, chain: OtherChain, address: string): Promise<void> {
  const signing = beginSigning(page, chain, address)
  await agreeToSign(page)
  expectSigned(chain, address, await signing)
}
