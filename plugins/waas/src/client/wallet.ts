/** The Wallet Standard wallet: its accounts are the user's embedded wallets. */
import type { Abortable, AccountStore, WalletFeatures } from '@keybay/kernel'
import { accountNotFound, fromBase64, throwMessageError, toBase64, toHex } from '@keybay/kernel/spec'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { WaasEngine } from './api.js'
import { onAccount } from './chains.js'
import { waasError } from './errors.js'
import type { Perform } from './operations.js'
import type { WaasFeature } from './plugin.js'

type Features<Name extends keyof WalletFeatures> = { readonly [F in Name]: WalletFeatures[F] }

export interface WalletParts {
  readonly face: Pick<Wallet, 'name' | 'icon' | 'chains'>
  readonly store: AccountStore
  readonly perform: Perform
  /** The API of the user who is signed in at the call. */
  readonly api: () => Promise<WaasEngine>
  connect(silent: boolean): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}

class Signer {
  readonly #store: AccountStore
  readonly perform: Perform

  constructor({ store, perform }: WalletParts) {
    this.#store = store
    this.perform = perform
  }

  /** @throws KeybayError `account_not_found` for an account that the wallet does not list */
  onAccount({ address }: WalletAccount): ReturnType<typeof onAccount> {
    if (!this.#store.accounts.some(account => account.address === address)) throw waasError(accountNotFound)
    return onAccount(address)
  }

  async signMessage(account: WalletAccount, message: Uint8Array, options?: Abortable): Promise<Uint8Array> {
    const request = { ...this.onAccount(account), message }
    return (await this.perform('signMessage', request, options).catch(throwMessageError)).signature
  }

  async signTransaction(account: WalletAccount, transaction: Uint8Array, options?: Abortable): Promise<Uint8Array> {
    const { chainName, accountAddress: senderAddress } = this.onAccount(account)
    const request = { chainName, senderAddress, transaction: toBase64(transaction) }
    return fromBase64((await this.perform('signTransaction', request, options)).signedTransaction)
  }

  async signTypedData(account: WalletAccount, typedData: string, options?: Abortable): Promise<`0x${string}`> {
    const request = { ...this.onAccount(account), typedData }
    return `0x${toHex((await this.perform('signTypedData', request, options).catch(throwMessageError)).signature)}`
  }
}

/** Signs one after the other, because each may show a question to the user. */
async function mapInTurn<I, O>(inputs: readonly I[], run: (input: I) => Promise<O>): Promise<readonly O[]> {
  const outputs: O[] = []
  for (const input of inputs) outputs.push(await run(input))
  return outputs
}

function createSolanaFeatures(
  signer: Signer,
): Features<'solana:signMessage' | 'solana:signTransaction' | 'keybay:signRawMessage'> {
  return {
    'solana:signMessage': {
      version: '1.1.0',
      signal: true,
      signMessage: (...inputs) =>
        mapInTurn(inputs, async ({ account, message, signal }) => ({
          signedMessage: message,
          signature: await signer.signMessage(account, message, { signal }),
        })),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signal: true,
      signTransaction: (...inputs) =>
        mapInTurn(inputs, async ({ account, transaction, signal }) => ({
          signedTransaction: await signer.signTransaction(account, transaction, { signal }),
        })),
    },
    'keybay:signRawMessage': {
      version: '1.0.0',
      signal: true,
      signRawMessage: async ({ account, message, signal }) =>
        signer
          .perform('signRawMessage', { ...signer.onAccount(account), message }, { signal })
          .catch(throwMessageError),
    },
  }
}

function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

function createChainFeatures(
  signer: Signer,
): Features<
  'keybay:signTypedData' | 'evm:signMessage' | 'evm:signTypedData' | 'evm:signTransaction' | 'bitcoin:signTransaction'
> {
  return {
    'keybay:signTypedData': {
      version: '1.0.0',
      signal: true,
      signTypedData: async ({ account, typedData, signal }) => ({
        signature: await signer.signTypedData(account, typedData, { signal }),
      }),
    },
    'evm:signMessage': {
      version: '1.0.0',
      signal: true,
      signMessage: async ({ account, message, signal }) => ({
        signature: `0x${toHex(await signer.signMessage(account, message, { signal }))}`,
      }),
    },
    'evm:signTypedData': {
      version: '1.0.0',
      signal: true,
      signTypedData: async ({ account, typedData, signal }) => ({
        signature: await signer.signTypedData(account, JSON.stringify(typedData, writeBigInt), { signal }),
      }),
    },
    'evm:signTransaction': {
      version: '1.0.0',
      signal: true,
      signTransaction: async ({ account, transaction, signal }) => ({
        signedTransaction: await signer.signTransaction(account, transaction, { signal }),
      }),
    },
    'bitcoin:signTransaction': {
      version: '1.0.0',
      signal: true,
      signTransaction: async ({ account, psbt, signal }) => ({
        signedPsbt: await signer.signTransaction(account, psbt, { signal }),
      }),
    },
  }
}

/** The operations of `keybay.waas` as wallet features: the account takes the place of the address. */
function createKeybayFeatures(
  signer: Signer,
  api: WalletParts['api'],
): Features<'keybay:backup' | 'keybay:export' | 'keybay:password' | 'keybay:refresh' | 'keybay:reshare'> {
  const addressOf = (account: WalletAccount) => signer.onAccount(account).accountAddress
  return {
    'keybay:backup': {
      version: '1.0.0',
      backup: async ({ account, ...options }) => (await api()).backup(addressOf(account), options),
      verify: async ({ account, ...options }) => (await api()).verifyBackup(addressOf(account), options),
      status: async ({ account }) => (await (await api()).wallet(addressOf(account))).wallet.backup,
    },
    'keybay:export': {
      version: '1.0.0',
      exportPrivateKey: async ({ account, ...options }) => (await api()).exportPrivateKey(addressOf(account), options),
      exportClientKeyshares: async ({ account, ...options }) =>
        (await api()).exportClientKeyshares(addressOf(account), options),
    },
    'keybay:password': {
      version: '1.0.0',
      setPassword: async ({ account, ...options }) => (await api()).setPassword(addressOf(account), options),
      updatePassword: async ({ account, ...options }) => (await api()).updatePassword(addressOf(account), options),
      verifyPassword: async ({ account, password, signal }) =>
        (await api()).verifyPassword(addressOf(account), password, { signal }),
    },
    'keybay:refresh': {
      version: '1.0.0',
      refresh: async ({ account, ...options }) => (await api()).refresh(addressOf(account), options),
    },
    'keybay:reshare': {
      version: '1.0.0',
      reshare: async ({ account, ...options }) => (await api()).reshare(addressOf(account), options),
    },
  }
}

export function createWallet(parts: WalletParts): Wallet {
  const { face, store, api, connect, disconnect } = parts
  const signer = new Signer(parts)
  const features: Features<WaasFeature> = {
    'standard:connect': {
      version: '1.0.0',
      connect: async input => ({ accounts: await connect(input?.silent ?? false) }),
    },
    'standard:disconnect': { version: '1.0.0', disconnect },
    'standard:events': store.events,
    ...createSolanaFeatures(signer),
    ...createChainFeatures(signer),
    ...createKeybayFeatures(signer, api),
  }
  return {
    version: '1.0.0',
    name: face.name,
    icon: face.icon,
    chains: face.chains,
    get accounts() {
      return store.accounts
    },
    features,
  }
}
