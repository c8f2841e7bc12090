import { Address, NETWORK, OutScript, Transaction } from '@scure/btc-signer'
import { eip191Signer, recoverAddressTyped } from 'micro-eth-signer'
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { signInByCode } from '../src/flows-accounts.js'
import { openWallets, shownWallet } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'
import { walletFrame } from '../src/wallet-frame.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

const LETTER = {
  types: { Letter: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Letter',
  domain: { name: 'Keybay sandbox', chainId: 1 },
  message: { contents: 'By the user alone' },
} as const

it('creates an Ethereum account, and another library recovers its address from message and typed-data signatures', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'ether@example.com')
  await openWallets(visitor)
  await page.getByRole('link', { name: 'Create a wallet' }).click()
  await page.getByRole('button', { name: 'Show all choices' }).click()
  await page.getByRole('radio', { name: 'Ethereum' }).check()
  await page.getByText('The key is put together in the wallet frame for each signature, and erased.').waitFor()
  await expect.poll(() => page.getByRole('radio', { name: 'Never assembled' }).count()).toBe(0)
  await page.getByRole('radio', { name: '2 of 2' }).check()
  await page.getByRole('button', { name: 'Create wallet' }).click()
  const address = await shownWallet(visitor)
  expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  await page
    .getByText('Reconstructed: the key is whole in the wallet’s frame for the moment of each signature')
    .waitFor()
  expect(await findViolations(page)).toEqual([])

  const card = page.getByRole('region', { name: 'Sign', exact: true })
  const signature = card.getByRole('status', { name: /Signature of the Ethereum account/ })
  const frame = walletFrame(page)
  await card.getByLabel('Message', { exact: true }).fill('Grüße')
  await card.getByRole('button', { name: 'Sign message' }).click()
  await frame.agree('Sign this message?', 'Sign')
  await signature.waitFor()
  expect(eip191Signer.recoverAddress((await signature.textContent()) ?? '', 'Grüße')).toBe(address)

  await card.getByRole('radio', { name: 'Typed data' }).check()
  await card.getByLabel('Typed data, as JSON').fill('{')
  await card.getByRole('button', { name: 'Sign typed data' }).click()
  await card.getByText('This is no JSON. Check its brackets and commas.').waitFor()
  await card.getByLabel('Typed data, as JSON').fill(JSON.stringify(LETTER))
  await card.getByRole('button', { name: 'Sign typed data' }).click()
  await frame.screen.getByText('By the user alone').waitFor()
  await frame.agree('Sign this data?', 'Sign')
  await signature.waitFor()
  expect(recoverAddressTyped((await signature.textContent()) ?? '', structuredClone(LETTER))).toBe(address)

  await openWallets(visitor)
  await page.getByRole('list', { name: 'Your wallets' }).getByText('Ethereum', { exact: true }).waitFor()
})

it('creates a Bitcoin account, and another library finalizes a transaction that the account signed', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'satoshi@example.com')
  await openWallets(visitor)
  await page.getByRole('link', { name: 'Create a wallet' }).click()
  await page.getByRole('button', { name: 'Show all choices' }).click()
  await page.getByRole('radio', { name: 'Bitcoin' }).check()
  await page.getByRole('radio', { name: '2 of 2' }).check()
  await page.getByRole('button', { name: 'Create wallet' }).click()
  const address = await shownWallet(visitor)
  expect(address).toMatch(/^bc1p/)
  const card = page.getByRole('region', { name: 'Sign', exact: true })
  const field = card.getByLabel('Transaction (PSBT, base64)')
  await field.fill('hello')
  await card.getByRole('button', { name: 'Sign transaction' }).click()
  await card.getByText('This is no PSBT in base64.').waitFor()
  const transaction = new Transaction()
  const script = OutScript.encode(Address(NETWORK).decode(address))
  transaction.addInput({ txid: '11'.repeat(32), index: 0, witnessUtxo: { amount: 150_000n, script } })
  transaction.addOutputAddress(address, 149_000n)
  await field.fill(Buffer.from(transaction.toPSBT()).toString('base64'))
  await card.getByRole('button', { name: 'Sign transaction' }).click()
  const frame = walletFrame(page)
  await frame.screen.getByText('0.00149 BTC').waitFor()
  await frame.agree('Sign this transaction?', 'Sign')
  const signed = card.getByRole('status', { name: /Signed transaction/ })
  await signed.waitFor()
  const finished = Transaction.fromPSBT(Buffer.from((await signed.textContent()) ?? '', 'base64'))
  finished.finalize()
  expect(finished.fee).toBe(1000n)
})
