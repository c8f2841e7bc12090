import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { expect, it } from 'vitest'
import { bundleDapp, openDapp } from '../src/dapp.js'
import { dapps } from '../src/dapps.mjs'
import { signInByCode } from '../src/flows-accounts.js'
import { agreeToSign, createWallet } from '../src/flows-waas.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
const MESSAGE = 'Signed by a dapp of another library'
/** Time-out in ms, because the packages may have to be installed first. */
const TIMEOUT_MS = 300_000

it.each(dapps)(
  '[S1.7] a dapp on %s finds the embedded wallet, connects it, and signs with it',
  async name => {
    const script = await bundleDapp(name)
    const visitor = await sandbox.visit()
    const { page } = visitor
    await signInByCode(sandbox, visitor, `${name}@example.com`)
    const { address } = await createWallet(visitor, { scheme: '2 of 2' })
    const dapp = await openDapp(page, script)
    await dapp.getByRole('button', { name: 'Keybay wallet' }).click()
    const shown = (label: string) => dapp.getByLabel(label).textContent()
    await expect.poll(() => shown('Address')).toBe(address)
    await dapp.getByRole('button', { name: 'Sign' }).click()
    await agreeToSign(visitor, 'message')
    await expect.poll(() => shown('Signature')).not.toBe('')
    const signature = bs58.decode((await shown('Signature')) ?? '')
    expect(nacl.sign.detached.verify(new TextEncoder().encode(MESSAGE), signature, bs58.decode(address))).toBe(true)
  },
  TIMEOUT_MS,
)
