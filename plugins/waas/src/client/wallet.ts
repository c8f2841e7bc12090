/** The wallet itself, in the words of Wallet Standard: its accounts are the user's wallets on Solana. */

import type { SolanaSignMessage, SolanaSignTransaction, WalletFeatures } from '@keybay/kernel'
import type { IdentifierArray, Wallet, WalletAccount } from '@wallet-standard/base'
import { fromBase64, toBase64 } from '../protocol/bytes.js'
import type { WaasWallet } from '../protocol/wallet.js'
import type {
  BackupFeature,
  BitcoinSignTransactionFeature,
  EvmSignMessageFeature,
  EvmSignTransactionFeature,
  EvmSignTypedDataFeature,
  ExportFeature,
  PasswordFeature,
  RefreshFeature,
  ReshareFeature,
  SignRawMessageFeature,
  SignTypedDataFeature,
  WaasEngine,
} from './api.js'
import { ACCOUNTS, chainOfAddress } from './chains.js'
import { accountNotFound } from './errors.js'
import type { Perform } from './operations.js'

type Change = Parameters<Parameters<WalletFeatures['standard:events']['on']>[1]>[0]
export interface AccountStore {
  readonly accounts: readonly WalletAccount[]
  /** Tells who listens, if anything is another now. An account that stays is the same object. */
  show(wallets: readonly WaasWallet[]): void
  readonly on: WalletFeatures['standard:events']['on']
}

export function createAccountStore(chains: IdentifierArray): AccountStore {
  const listeners = new Set<(change: Change) => void>()
  let accounts: readonly WalletAccount[] = []
  const accountOf = ({ accountAddress, publicKey }: WaasWallet): WalletAccount =>
    accounts.find(({ address }) => address === accountAddress) ?? {
      address: accountAddress,
      publicKey,
      chains,
      ...ACCOUNTS[chainOfAddress(accountAddress)],
    }
  return {
    get accounts() {
      return accounts
    },
    show(wallets) {
      const next = wallets.map(accountOf)
      if (next.length === accounts.length && next.every((one, index) => one === accounts[index])) return
      accounts = next
      for (const listener of [...listeners]) listener({ accounts })
    },
    on(_event, listener) {
      const own = (change: Change) => listener(change)
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}

function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

export interface WalletParts {
  readonly face: Pick<Wallet, 'name' | 'icon' | 'chains'>
  readonly store: AccountStore
  readonly perform: Perform
  /** Of the user who is signed in when it is called. */
  readonly api: () => Promise<WaasEngine>
  connect(silent: boolean): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}

export function createWallet({ face, store, perform, api, connect, disconnect }: WalletParts): Wallet {
  const { name, icon, chains } = face
  const authority = (account: WalletAccount) => {
    if (!store.accounts.some(({ address }) => address === account.address)) throw accountNotFound()
    return { chainName: chainOfAddress(account.address), accountAddress: account.address }
  }
  /** One after the other: each may ask the user. */
  const inTurn = async <I, O>(inputs: readonly I[], run: (input: I) => Promise<O>): Promise<readonly O[]> => {
    const outputs: O[] = []
    for (const input of inputs) outputs.push(await run(input))
    return outputs
  }
  const signMessage: SolanaSignMessage = {
    version: '1.1.0',
    signMessage: (...inputs) =>
      inTurn(inputs, async ({ account, message }) => {
        const { signature } = await perform('signMessage', { ...authority(account), message })
        return { signedMessage: message, signature }
      }),
  }
  const signTransaction: SolanaSignTransaction = {
    version: '1.0.0',
    supportedTransactionVersions: ['legacy', 0],
    signTransaction: (...inputs) =>
      inTurn(inputs, async ({ account, transaction }) => {
        const { chainName, accountAddress: senderAddress } = authority(account)
        const request = { chainName, senderAddress, transaction: toBase64(transaction) }
        const { signedTransaction } = await perform('signTransaction', request)
        return { signedTransaction: fromBase64(signedTransaction) }
      }),
  }
  const signRawMessage: SignRawMessageFeature = {
    version: '1.0.0',
    signRawMessage: async ({ account, message }) => perform('signRawMessage', { ...authority(account), message }),
  }
  const evmSignMessage: EvmSignMessageFeature = {
    version: '1.0.0',
    async signMessage({ account, message }) {
      const { signature } = await perform('signMessage', { ...authority(account), message })
      return { signature: toHex(signature) }
    },
  }
  const signJson = async (account: WalletAccount, typedData: string) => {
    const { signature } = await perform('signTypedData', { ...authority(account), typedData })
    return { signature: toHex(signature) }
  }
  const signTypedData: SignTypedDataFeature = {
    version: '1.0.0',
    signTypedData: async ({ account, typedData }) => signJson(account, typedData),
  }
  const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const evmSignTypedData: EvmSignTypedDataFeature = {
    version: '1.0.0',
    signTypedData: async ({ account, typedData }) => signJson(account, JSON.stringify(typedData, digits)),
  }
  const whole = async (account: WalletAccount, transaction: Uint8Array): Promise<Uint8Array> => {
    const { chainName, accountAddress: senderAddress } = authority(account)
    const request = { chainName, senderAddress, transaction: toBase64(transaction) }
    return fromBase64((await perform('signTransaction', request)).signedTransaction)
  }
  const evmSignTransaction: EvmSignTransactionFeature = {
    version: '1.0.0',
    signTransaction: async ({ account, transaction }) => ({ signedTransaction: await whole(account, transaction) }),
  }
  const bitcoinSignTransaction: BitcoinSignTransactionFeature = {
    version: '1.0.0',
    signTransaction: async ({ account, psbt }) => ({ signedPsbt: await whole(account, psbt) }),
  }
  const backup: BackupFeature = {
    version: '1.0.0',
    backup: async ({ account, ...options }) => (await api()).backup(authority(account).accountAddress, options),
    verify: async ({ account, ...options }) => (await api()).verifyBackup(authority(account).accountAddress, options),
    status: async ({ account }) => (await (await api()).wallet(authority(account).accountAddress)).wallet.backup,
  }
  const exportFeature: ExportFeature = {
    version: '1.0.0',
    exportPrivateKey: async ({ account, ...options }) =>
      (await api()).exportPrivateKey(authority(account).accountAddress, options),
    exportClientKeyshares: async ({ account, ...options }) =>
      (await api()).exportClientKeyshares(authority(account).accountAddress, options),
  }
  const password: PasswordFeature = {
    version: '1.0.0',
    setPassword: async ({ account, ...options }) =>
      (await api()).setPassword(authority(account).accountAddress, options),
    updatePassword: async ({ account, ...options }) =>
      (await api()).updatePassword(authority(account).accountAddress, options),
    verifyPassword: async ({ account, password, signal }) =>
      (await api()).verifyPassword(authority(account).accountAddress, password, { signal }),
  }
  const refresh: RefreshFeature = {
    version: '1.0.0',
    refresh: async ({ account, ...options }) => (await api()).refresh(authority(account).accountAddress, options),
  }
  const reshare: ReshareFeature = {
    version: '1.0.0',
    reshare: async ({ account, ...options }) => (await api()).reshare(authority(account).accountAddress, options),
  }
  const connectFeature: WalletFeatures['standard:connect'] = {
    version: '1.0.0',
    connect: async input => ({ accounts: await connect(input?.silent ?? false) }),
  }
  return {
    version: '1.0.0',
    name,
    icon,
    chains,
    get accounts() {
      return store.accounts
    },
    features: {
      'standard:connect': connectFeature,
      'standard:disconnect': { version: '1.0.0', disconnect },
      'standard:events': { version: '1.0.0', on: store.on },
      'solana:signMessage': signMessage,
      'solana:signTransaction': signTransaction,
      'keybay:signRawMessage': signRawMessage,
      'keybay:signTypedData': signTypedData,
      'evm:signMessage': evmSignMessage,
      'evm:signTypedData': evmSignTypedData,
      'evm:signTransaction': evmSignTransaction,
      'bitcoin:signTransaction': bitcoinSignTransaction,
      'keybay:backup': backup,
      'keybay:export': exportFeature,
      'keybay:password': password,
      'keybay:refresh': refresh,
      'keybay:reshare': reshare,
    },
  }
}
