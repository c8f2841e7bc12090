// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import { TRANSACTION_RECEIPT_WAIT_MS } from '@keybay/kernel/spec'
import { fakeClock } from '@keybay/kernel/testing'
import { addr, eip191Signer, recoverAddressTyped } from 'micro-eth-signer'
import { afterEach, expect, it, vi } from 'vitest'
import { browserExtension, type EvmTransaction } from '../src/index.js'
import { clearPage, createExtension } from './support.js'

const ID = 'browser-extension:dev.keybay.sandbox'
const hosts: { dispose(): void }[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.dispose()
  clearPage()
})
/** @param receipts the wallet node's answers in place of the sandbox's */
async function connect(receipts?: () => unknown) {
  const extension = createExtension(receipts)
  extension.announceEvm()
  const clock = fakeClock()
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', clock, plugins: [browserExtension()] })
  hosts.push(keybay)
  keybay.connectors.list()
  await clock.advance(20_000) // the search for wallets is over
  await expect.poll(() => keybay.connectors.get(ID)).toBeDefined()
  const connection = await keybay.connect(ID)
  if (!('accounts' in connection)) throw new Error('Not a wallet')
  const [account] = connection.accounts
  const features = keybay.connectors.get(ID)?.wallet.features
  if (!account || !features) throw new Error('The wallet gave no account')
  return { keybay, extension, clock, account, features }
}
const TO = addr.random().address as `0x${string}`
const transaction: EvmTransaction = { to: TO, value: 5n }

it('connects an EIP-6963 wallet on its current chain', async () => {
  const { account, extension } = await connect()
  expect(account.chains).toEqual(['eip155:1'])
  const { accounts } = await extension.store.read()
  expect(account.address).toBe(addr.fromPrivateKey(accounts[0]?.evm ?? ''))
  expect(account.publicKey).toHaveLength(20)
})
it('[S3.1] an EIP-6963 wallet reports a refused message or typed data as MESSAGE_SIGNATURE_DENIED', async () => {
  const { account, features, extension } = await connect()
  extension.user = 'refuses'
  const refused = { code: 'user_rejected', walletCode: 3 }
  const typedData = { domain: {}, primaryType: 'Mail', types: { Mail: [] }, message: {} }
  await expect(features['evm:signMessage']?.signMessage({ account, message: new Uint8Array(1) })).rejects.toMatchObject(
    refused,
  )
  await expect(features['evm:signTypedData']?.signTypedData({ account, typedData })).rejects.toMatchObject(refused)
  await expect(features['evm:sendTransaction']?.sendTransaction({ account, transaction })).rejects.toMatchObject({
    code: 'user_rejected',
    walletCode: 2,
  })
})
it('an EIP-6963 wallet signs a message (personal_sign) and typed data (EIP-712)', async () => {
  const { account, features } = await connect()
  const message = new TextEncoder().encode('Grüezi')
  const signed = await features['evm:signMessage']?.signMessage({ account, message })
  expect(eip191Signer.verify(signed?.signature ?? '', message, account.address)).toBe(true)
  const typedData = {
    domain: { name: 'Acme', version: '1', chainId: 1n },
    primaryType: 'Mail',
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Mail: [{ name: 'contents', type: 'string' }],
    },
    message: { contents: 'Hello' },
  } as const
  const typed = await features['evm:signTypedData']?.signTypedData({ account, typedData })
  expect(recoverAddressTyped(typed?.signature ?? '', typedData)).toBe(account.address)
})
it('switches the EVM chain, adds an unknown chain, and reports a chain that the wallet cannot add', async () => {
  const { keybay, features } = await connect()
  const change = features['evm:switchChain']
  const chains = () => keybay.connections.get(ID)?.accounts[0]?.chains
  await change?.switchChain({ chain: 'eip155:137' })
  expect(chains()).toEqual(['eip155:137'])
  await expect(change?.switchChain({ chain: 'eip155:8453' })).rejects.toMatchObject({ code: 'evm_chain_unknown' })
  expect(chains()).toEqual(['eip155:137'])
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const add = { chainName: 'Base', rpcUrls: ['https://base.example'], nativeCurrency }
  await change?.switchChain({ chain: 'eip155:8453', add })
  expect(chains()).toEqual(['eip155:8453'])
  await expect(change?.switchChain({ chain: 'eip155:-1' })).rejects.toMatchObject({ code: 'unsupported_chain' })
})
it('disconnects an EIP-6963 wallet while it is locked, and reconnects it once it is unlocked', async () => {
  const { keybay, extension } = await connect()
  await extension.change({ locked: true })
  expect(keybay.connections.list()).toEqual([])
  await extension.change({ locked: false })
  expect(keybay.connections.get(ID)?.accounts).toHaveLength(1)
})
it('keeps an EVM connection that opens while the chain is switched', async () => {
  const extension = createExtension()
  await extension.store.update(() => ({ trusted: [location.origin] }))
  extension.announceEvm()
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [browserExtension()] })
  hosts.push(keybay)
  keybay.connectors.list()
  await expect.poll(() => keybay.connectors.get(ID)).toBeDefined()
  const change = keybay.connectors.get(ID)?.wallet.features['evm:switchChain']
  await Promise.all([keybay.connect(ID), change?.switchChain({ chain: 'eip155:137' })])
  expect(keybay.connections.get(ID)?.accounts).toHaveLength(1)
})
it('[S9.10] sends an EVM transaction and waits for its receipt', async () => {
  const { account, features, clock } = await connect()
  const sent: string[] = []
  const receipt = features['evm:sendTransaction']?.sendTransaction({
    account,
    transaction,
    chain: 'eip155:1',
    onSent: hash => void sent.push(hash),
  })
  await expect.poll(() => sent).toHaveLength(1)
  await clock.advance(1000) // the node did not have it at once
  expect(await receipt).toMatchObject({ transactionHash: sent[0], status: '0x1' })
  expect(clock.pending()).toBe(0)
})
it('[S9.10] waits exactly 180000 ms for the receipt of an EVM transaction', async () => {
  const { account, features, clock } = await connect(() => null)
  let error: unknown
  const sent = vi.fn()
  features['evm:sendTransaction']?.sendTransaction({ account, transaction, onSent: sent }).catch(thrown => {
    error = thrown
  })
  await expect.poll(() => sent).toHaveBeenCalled()
  expect(TRANSACTION_RECEIPT_WAIT_MS).toBe(180_000)
  await clock.advance(179_999)
  expect(error).toBeUndefined()
  await clock.advance(1)
  expect(error).toMatchObject({
    code: 'transaction_timed_out',
    message: 'Transaction timed out',
    details: { hash: sent.mock.calls[0]?.[0] },
  })
  expect(clock.pending()).toBe(0)
})
it('ignores another transaction’s receipt and a failing node, and then reports a reverted transaction', async () => {
  const answers: (() => unknown)[] = []
  const { account, features, clock } = await connect(() => answers.shift()?.() ?? null)
  const sent = vi.fn()
  const sending = features['evm:sendTransaction']?.sendTransaction({ account, transaction, onSent: sent })
  sending?.catch(() => {})
  await expect.poll(() => sent).toHaveBeenCalled()
  const transactionHash = sent.mock.calls[0]?.[0]
  answers.push(
    () => ({ transactionHash: `0x${'1'.repeat(64)}`, blockNumber: '0x1', status: '0x1' }),
    () => {
      throw new Error('The node is offline')
    },
    () => ({ transactionHash, blockNumber: '0x2', status: '0x0' }),
  )
  await clock.advance(5000)
  await expect(sending).rejects.toMatchObject({ code: 'transaction_failed', details: { hash: transactionHash } })
})
it('rejects another chain, another account and an aborted signal before it calls the EVM wallet', async () => {
  const { account, features, extension } = await connect()
  const send = features['evm:sendTransaction']
  const before = extension.asked.length
  await expect(send?.sendTransaction({ account, transaction, chain: 'eip155:137' })).rejects.toMatchObject({
    code: 'unsupported_chain',
  })
  await expect(send?.sendTransaction({ account: { ...account, address: TO }, transaction })).rejects.toMatchObject({
    code: 'account_not_found',
  })
  await expect(send?.sendTransaction({ account, transaction, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(extension.asked.length).toBe(before)
})
it('a disconnect revokes the permission in the EIP-6963 wallet', async () => {
  const { keybay, extension } = await connect()
  await keybay.disconnect(ID)
  expect((await extension.store.read()).trusted).toEqual([])
})
