// @vitest-environment happy-dom
import { mockWallet } from '@keybay/kernel/testing'
import { describe, expect, it } from 'vitest'
import { find, open, register } from './page.js'

async function verify(publicKey: ReadonlyUint8, message: Uint8Array, signature: Uint8Array) {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message))
}
type ReadonlyUint8 = ArrayLike<number>

describe('a registered wallet', () => {
  it('[S1.16] a registered wallet connects and signs a message that verifies', async () => {
    register(mockWallet({ name: 'Signer' }).wallet)
    const keybay = open({ authMode: 'connect-and-sign' })
    const connection = await keybay.connect('wallet-standard:signer')
    const [account] = connection.accounts
    if (!account) throw new Error('No account')
    expect(keybay.accounts.active()).toMatchObject({ connectorId: 'wallet-standard:signer', address: account.address })
    const message = new TextEncoder().encode('Hello')
    const { features } = find(keybay, 'wallet-standard:signer').wallet
    const [signed] = (await features['solana:signMessage']?.signMessage({ account, message })) ?? []
    if (!signed) throw new Error('Not signed')
    expect(await verify(account.publicKey, signed.signedMessage, signed.signature)).toBe(true)
    expect(await verify(account.publicKey, new TextEncoder().encode('Hullo'), signed.signature)).toBe(false)
  })
})
