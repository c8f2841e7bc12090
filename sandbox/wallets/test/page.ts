/** What the tests do with the page: nothing that a site could not. */
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import type { Wallet } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsChangeProperties,
  StandardEventsFeature,
} from '@wallet-standard/features'
import { registerSandboxWallet, type SandboxWallet, type SandboxWalletOptions } from '../src/index.js'

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignMessageFeature &
  SolanaSignTransactionFeature &
  SolanaSignAndSendTransactionFeature &
  SolanaSignInFeature

const isComplete = (wallet: Wallet): wallet is Wallet & { readonly features: Features } =>
  'standard:connect' in wallet.features && 'solana:signIn' in wallet.features

/** The features of a wallet that has them all. */
export const featuresOf = (wallet: Wallet): Features => {
  if (!isComplete(wallet)) throw new Error('The wallet lacks a feature')
  return wallet.features
}

const open: SandboxWallet[] = []
export const register = (options: SandboxWalletOptions = {}): SandboxWallet => {
  const wallet = registerSandboxWallet(options)
  open.push(wallet)
  return wallet
}
/** As a reload does: the page's wallets go, storage stays. */
export const reload = (): void => {
  for (const wallet of open.splice(0)) wallet.unregister()
}

export const connect = async (handle: SandboxWallet) => {
  const answer = featuresOf(handle.wallet)['standard:connect'].connect()
  if (handle.pending) handle.approve()
  const { accounts } = await answer
  const [account] = accounts
  if (!account) throw new Error('No account')
  return account
}

export const changesOf = (wallet: Wallet): StandardEventsChangeProperties[] => {
  const changes: StandardEventsChangeProperties[] = []
  featuresOf(wallet)['standard:events'].on('change', change => changes.push(change))
  return changes
}

const root = (): ShadowRoot => {
  const found = document.querySelector('keybay-sandbox-wallet')?.shadowRoot
  if (!found) throw new Error('The wallet is not in the page')
  return found
}
/** The dialog that is open on top. */
export const dialog = (): HTMLDialogElement | undefined =>
  [...root().querySelectorAll('dialog')].filter(one => one.open).at(0)
export const titleOf = (one: HTMLDialogElement | undefined): string | undefined =>
  one?.querySelector('h2')?.textContent ?? undefined
export const press = (name: string): void => {
  const button = [...root().querySelectorAll('button')].find(
    one => one.textContent === name || one.getAttribute('aria-label') === name,
  )
  if (!button) throw new Error(`There is no button "${name}"`)
  button.click()
}
