// @vitest-environment happy-dom
/** Tests the hardware mode: how an account on a device behaves, and what an app can see of it. */
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, dialog, getChanges, getFeatures, press, register, reload } from './page.js'

const REFUSED = { code: -32603, message: 'Signing off-chain messages with a hardware wallet is not supported.' }
const MESSAGE = new TextEncoder().encode('hello')
const KEY = 'keybay-sandbox-wallet:keyring'

beforeEach(() => localStorage.clear())
afterEach(reload)

function transfer(address: string) {
  const from = new PublicKey(address)
  return new Transaction({ feePayer: from, recentBlockhash: Keypair.generate().publicKey.toBase58() })
    .add(SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 1 }))
    .serialize({ requireAllSignatures: false })
}

describe('a hardware account', () => {
  it('a hardware wallet lists all features, and its account lists only transaction features', async () => {
    const handle = register({ hardware: true })
    const account = await connect(handle)
    expect(handle.wallet.features).toHaveProperty('solana:signMessage')
    expect(handle.wallet.features).toHaveProperty('solana:signIn')
    expect(account.features).toEqual(['solana:signTransaction', 'solana:signAndSendTransaction'])
  })
  it('a hardware account signs transactions', async () => {
    const handle = register({ hardware: true, approveAll: true })
    const account = await connect(handle)
    const { signTransaction } = getFeatures(handle.wallet)['solana:signTransaction']
    const [output] = await signTransaction({ account, transaction: transfer(account.address) })
    expect(Transaction.from(output?.signedTransaction ?? []).verifySignatures(true)).toBe(true)
  })
  it.each([true, 'undeclared'] as const)(
    'a hardware account refuses to sign a message after the approval (%s)',
    async hardware => {
      const handle = register({ hardware })
      const account = await connect(handle)
      const { signMessage } = getFeatures(handle.wallet)['solana:signMessage']
      const approved = signMessage({ account, message: MESSAGE })
      expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('signs transactions only')
      press('Approve')
      await expect(approved).rejects.toMatchObject(REFUSED)
      const rejected = signMessage({ account, message: MESSAGE })
      press('Reject')
      await expect(rejected).rejects.toMatchObject({ code: 4001 })
    },
  )
  it('a hardware account refuses to sign in, and the attempt does not connect the wallet', async () => {
    const handle = register({ hardware: true })
    const answer = getFeatures(handle.wallet)['solana:signIn'].signIn()
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('signs transactions only')
    press('Approve')
    await expect(answer).rejects.toMatchObject(REFUSED)
    expect(handle.wallet.accounts).toEqual([])
  })
  it('an undeclared hardware account still lists the message and sign-in features', async () => {
    const handle = register({ hardware: 'undeclared' })
    const { features } = await connect(handle)
    expect(features).toContain('solana:signMessage')
    expect(features).toContain('solana:signIn')
  })
})

describe('switching', () => {
  it('switching hardware mode in the panel notifies the site, and an open request keeps the mode that it showed', async () => {
    const handle = register()
    const before = await connect(handle)
    const changes = getChanges(handle.wallet)
    const { signMessage } = getFeatures(handle.wallet)['solana:signMessage']
    const pendingSignature = signMessage({ account: before, message: MESSAGE })
    handle.setHardware(true)
    expect(changes.map(({ accounts }) => accounts?.[0]?.features.includes('solana:signMessage'))).toEqual([false])
    handle.approve()
    await expect(pendingSignature).resolves.toHaveLength(1)

    handle.open()
    expect(dialog()?.textContent).toContain('Hardware wallet: it signs transactions and refuses messages.')
    press('Be a software wallet')
    expect(dialog()?.textContent).not.toContain('Hardware wallet')
    expect(handle.hardware).toBe(false)
    expect(handle.wallet.accounts[0]?.features).toContain('solana:signMessage')
    press('Be a hardware wallet')
    expect(handle.hardware).toBe(true)
    expect(changes).toHaveLength(3)
  })
  it('keeps the hardware mode after a reload, regardless of the option of a new wallet', async () => {
    register().setHardware('undeclared')
    reload()
    expect(register({ hardware: false }).hardware).toBe('undeclared')
  })
  it('follows the hardware mode of another tab', async () => {
    const handle = register()
    await connect(handle)
    const saved = JSON.parse(localStorage.getItem(KEY) ?? '')
    localStorage.setItem(KEY, JSON.stringify({ ...saved, hardware: true }))
    dispatchEvent(new StorageEvent('storage', { key: KEY }))
    expect(handle.hardware).toBe(true)
    expect(handle.wallet.accounts[0]?.features).not.toContain('solana:signMessage')
  })
  it('reads a keyring without a hardware mode as a software wallet, and replaces an invalid keyring', () => {
    const { addresses } = register()
    reload()
    const { hardware: _, ...saved } = JSON.parse(localStorage.getItem(KEY) ?? '')
    localStorage.setItem(KEY, JSON.stringify(saved))
    const again = register()
    expect(again.addresses).toEqual(addresses)
    expect(again.hardware).toBe(false)
    reload()
    localStorage.setItem(KEY, JSON.stringify({ ...saved, hardware: 'yes' }))
    expect(register().addresses).not.toEqual(addresses)
  })
})
