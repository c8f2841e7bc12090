import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operationOf } from '../../src/protocol/index.js'
import { samples } from './samples.js'
import { authority, onAccount } from './support.js'

function sha256(bytes: string | Uint8Array) {
  return createHash('sha256').update(bytes).digest('base64url')
}
const wallet = onAccount.accountAddress

function words(...all: readonly unknown[]) {
  return sha256(JSON.stringify(all))
}

describe('the statement that the session key signs', () => {
  it('the session statement hashes the bytes to sign', async () => {
    const bytes = Uint8Array.of(0xff, 1, 2)
    expect(await operationOf('signMessage', { ...onAccount, message: 'grüezi' })).toEqual({
      operation: 'signMessage',
      wallet,
      hash: sha256('grüezi'),
    })
    expect(await operationOf('signMessage', { ...onAccount, message: bytes })).toMatchObject({ hash: sha256(bytes) })
    expect(await operationOf('signRawMessage', { ...onAccount, message: '0aff' })).toMatchObject({
      hash: sha256(Uint8Array.of(10, 255)),
    })
    expect(await operationOf('signTypedData', { ...onAccount, typedData: '{}' })).toMatchObject({ hash: sha256('{}') })
  })

  it('the session statement hashes the message of a transaction without its signatures', async () => {
    const sign = (transaction: Uint8Array) =>
      operationOf('signTransaction', {
        ...authority,
        senderAddress: wallet,
        transaction: Buffer.from(transaction).toString('base64'),
      })
    const message = Uint8Array.of(1, 0, 1, 3, 9, 9)
    for (const count of [0, 1, 2, 127])
      expect(await sign(Uint8Array.of(count, ...new Uint8Array(64 * count).fill(5), ...message))).toEqual({
        operation: 'signTransaction',
        wallet,
        hash: sha256(message),
      })
    expect(await sign(Uint8Array.of(0x80, 1, ...new Uint8Array(64 * 128), ...message))).toMatchObject({
      hash: sha256(message),
    })
    for (const none of [[], [0], [1, 2, 3], [0xff, 0xff, 3], [2, ...new Uint8Array(128)]])
      await expect(sign(Uint8Array.from(none))).rejects.toMatchObject({ code: 'message_malformed' })
  })

  it('the session statement hashes the operation with its arguments in the relay’s notation', async () => {
    const list = { operation: 'getWallets', hash: words('getWallets') }
    expect(await operationOf('getWallets', samples.getWallets[0])).toEqual(list)
    expect(await operationOf('getWallet', samples.getWallet[0])).toEqual(list)
    expect(await operationOf('createWalletAccount', samples.createWalletAccount[0])).toEqual({
      operation: 'createWalletAccount',
      hash: words('createWalletAccount', 'SOL', 'TWO_OF_THREE', true),
    })
    expect(await operationOf('importPrivateKey', samples.importPrivateKey[0])).toEqual({
      operation: 'importPrivateKey',
      hash: words('importPrivateKey', 'SOL', 'TWO_OF_THREE'),
    })
    expect(await operationOf('reshare', samples.reshare[0])).toEqual({
      operation: 'reshare',
      wallet,
      hash: words('reshare', 'TWO_OF_TWO', 'TWO_OF_THREE'),
    })
    expect(await operationOf('revokeSet', samples.revokeSet[0])).toMatchObject({ hash: words('revokeSet', 's2') })
    expect(await operationOf('setPolicy', samples.setPolicy[0])).toMatchObject({
      hash: words('setPolicy', 's1', '{"dailyLimit":"5","programs":[],"messages":false}'),
    })
    expect(await operationOf('setPolicy', { ...onAccount, setId: 's1', policy: null })).toMatchObject({
      hash: words('setPolicy', 's1', 'null'),
    })
    const rules = '{"dailyLimit":"5","programs":[],"messages":false}'
    expect(await operationOf('delegateKeyShares', samples.delegateKeyShares[0])).toEqual({
      operation: 'delegateKeyShares',
      wallet,
      hash: words('delegateKeyShares', 'A'.repeat(43), 'Salaries', rules),
    })
    const bare = { ...onAccount, delegatePublicKey: new Uint8Array(32).fill(0xff) }
    expect(await operationOf('delegateKeyShares', bare)).toMatchObject({
      hash: words('delegateKeyShares', `${'_'.repeat(42)}8`, '', 'null'),
    })
    expect(await operationOf('restoreBackup', samples.restoreBackup[0])).toEqual({
      operation: 'replaceDevice',
      wallet,
      hash: words('replaceDevice'),
    })
    expect(await operationOf('refreshWalletAccountShares', samples.refreshWalletAccountShares[0])).toEqual({
      operation: 'refreshWalletAccountShares',
      wallet,
      hash: words('refreshWalletAccountShares'),
    })
  })
})
