/** An EIP-1193 provider as a Wallet Standard wallet. */
import type { Kernel } from '@keybay/kernel'
import { unsupportedChain } from '@keybay/kernel/spec'
import type { Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import { createChanges } from '../changes.js'
import { evmChainUnknown, extensionAnswerInvalid } from '../errors.js'
import { createFaults, type KernelErrors } from '../faults.js'
import type { EvmProvider } from './announced.js'
import type { EvmChain, EvmSendTransaction, EvmSignMessage, EvmSignTypedData, EvmSwitchChain, Hex } from './features.js'
import { waitForReceipt } from './receipt.js'

interface Face {
  readonly id: string
  readonly name: string
  readonly icon: WalletIcon
}
const FEATURES = ['evm:signMessage', 'evm:signTypedData', 'evm:switchChain', 'evm:sendTransaction'] as const
const ADDRESS_BYTES = 20
const SIGNATURE_BYTES = 65
const HASH_BYTES = 32

function isHex(value: unknown, bytes: number): value is Hex {
  return typeof value === 'string' && new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i').test(value)
}

function toHex(number: bigint): Hex {
  return `0x${number.toString(16)}`
}

function bytesToHex(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

function hexToBytes(hex: Hex) {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], byte => Number.parseInt(byte, 16))
}

function isCall(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function'
}

function chainOf(id: unknown): EvmChain | undefined {
  const number = Number(id)
  return Number.isSafeInteger(number) && number > 0 ? `eip155:${number}` : undefined
}

export function evmWallet(
  { clock, onDispose }: Pick<Kernel, 'clock' | 'onDispose'>,
  { id, name, icon }: Face,
  provider: EvmProvider,
  errors: KernelErrors,
): Wallet {
  const faults = createFaults(errors, id)
  const invalid = () => faults.of(extensionAnswerInvalid)
  const changes = createChanges()
  let accounts: readonly WalletAccount[] = []
  let chain: EvmChain = 'eip155:1'
  const ask = (method: string, params?: unknown) =>
    faults.guard(() => provider.request(params === undefined ? { method } : { method, params }))
  const show = (addresses: unknown, on: EvmChain) => {
    const sound = Array.isArray(addresses) ? addresses.filter(one => isHex(one, ADDRESS_BYTES)) : []
    const nobody = !sound.length && !accounts.length
    const same = on === chain && String(sound) === String(accounts.map(({ address }) => address))
    chain = on
    if (same || nobody) return
    accounts = sound.map(address =>
      Object.freeze({ address, publicKey: hexToBytes(address), chains: [on], features: FEATURES }),
    )
    changes.emit({ accounts })
  }

  let deafen = () => {}
  onDispose(() => deafen())
  const hear = () => {
    if (!isCall(provider.on)) return
    deafen()
    const events = {
      // None where it was locked, and they come back once it is open.
      accountsChanged: (addresses: unknown) => show(addresses, chain),
      chainChanged: (id: unknown) =>
        show(
          accounts.map(({ address }) => address),
          chainOf(id) ?? chain,
        ),
      // Of all chains, for which it has no node any more: the accounts stay the user’s, as EIP-1193 says.
    }
    for (const [event, listener] of Object.entries(events)) provider.on.call(provider, event, listener)
    const { removeListener } = provider
    deafen = () => {
      for (const [event, listener] of Object.entries(events))
        if (isCall(removeListener)) removeListener.call(provider, event, listener)
    }
  }
  const inUse = (account: WalletAccount): Hex => {
    const own = accounts.find(({ address }) => address === account.address)
    if (!own || !isHex(own.address, ADDRESS_BYTES)) throw faults.of(faults.accountNotFound)
    return own.address
  }
  const signed = (signature: unknown) => {
    if (!isHex(signature, SIGNATURE_BYTES)) throw invalid()
    return { signature }
  }
  const connect = async ({ silent = false } = {}) => {
    const addresses = await ask(silent ? 'eth_accounts' : 'eth_requestAccounts')
    const on = chainOf(await ask('eth_chainId'))
    if (!on) throw invalid()
    show(addresses, on)
    if (accounts.length) hear()
    return { accounts }
  }
  const signMessage: EvmSignMessage['signMessage'] = async ({ account, message }) =>
    signed(await ask('personal_sign', [bytesToHex(message), inUse(account)]))
  const signTypedData: EvmSignTypedData['signTypedData'] = async ({ account, typedData }) =>
    signed(
      await ask('eth_signTypedData_v4', [
        inUse(account),
        JSON.stringify(typedData, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
      ]),
    )
  const switchChain: EvmSwitchChain['switchChain'] = async ({ chain: to, add }) => {
    const number = Number(to.split(':')[1])
    if (!chainOf(number)) throw faults.of(unsupportedChain, { detail: to })
    const chainId = toHex(BigInt(number))
    const change = () => ask('wallet_switchEthereumChain', [{ chainId }])
    await change().catch(async error => {
      if (!add || error.code !== evmChainUnknown.code) throw error
      await ask('wallet_addEthereumChain', [{ chainId, ...add }])
      await change()
    })
    // It may say so by an event too, or not at all.
    show(
      accounts.map(({ address }) => address),
      chainOf(await ask('eth_chainId')) ?? chain,
    )
    if (chain !== to) throw faults.of(unsupportedChain, { detail: to })
  }
  const sendTransaction: EvmSendTransaction['sendTransaction'] = async ({
    account,
    transaction: { to, value, data, gas },
    chain: wanted,
    onSent,
    signal,
  }) => {
    const from = inUse(account)
    // The wallet sends on the chain that it is on: on another, this would be another payment.
    if (wanted !== undefined && wanted !== chainOf(await ask('eth_chainId')))
      throw faults.of(unsupportedChain, { detail: `${wanted}: the wallet is on ${chain}` })
    signal?.throwIfAborted()
    const call = {
      from,
      ...(to && { to }),
      ...(value !== undefined && { value: toHex(value) }),
      ...(data && { data }),
      ...(gas !== undefined && { gas: toHex(gas) }),
    }
    const hash = await ask('eth_sendTransaction', [call])
    if (!isHex(hash, HASH_BYTES)) throw invalid()
    onSent?.(hash)
    return waitForReceipt({ hash, ask, clock, faults, signal })
  }
  return {
    version: '1.0.0',
    name,
    icon,
    chains: [chain],
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': {
        version: '1.0.0',
        async disconnect() {
          deafen()
          accounts = []
          // Not every wallet can be told (EIP-2255): then it goes on trusting this page, as it says in its own settings.
          await ask('wallet_revokePermissions', [{ eth_accounts: {} }]).catch(() => {})
        },
      },
      'standard:events': changes.feature,
      'evm:signMessage': { version: '1.0.0', signMessage },
      'evm:signTypedData': { version: '1.0.0', signTypedData },
      'evm:switchChain': { version: '1.0.0', switchChain },
      'evm:sendTransaction': { version: '1.0.0', sendTransaction },
    },
  }
}
