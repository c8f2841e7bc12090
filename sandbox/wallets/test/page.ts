/** Test helpers for the page, limited to what an app could do. */
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

function isComplete(wallet: Wallet): wallet is Wallet & { readonly features: Features } {
  return 'standard:connect' in wallet.features && 'solana:signIn' in wallet.features
}

/** Returns the features of a wallet that has all of them. */
export function getFeatures(wallet: Wallet): Features {
  if (!isComplete(wallet)) throw new Error('The wallet lacks a feature')
  return wallet.features
}

const open: SandboxWallet[] = []

export function register(options: SandboxWalletOptions = {}): SandboxWallet {
  const wallet = registerSandboxWallet(options)
  open.push(wallet)
  return wallet
}
/** Simulates a reload: the page's wallets disappear, storage stays. */
export function reload(): void {
  for (const wallet of open.splice(0)) wallet.unregister()
}

export async function connect(handle: SandboxWallet) {
  const answer = getFeatures(handle.wallet)['standard:connect'].connect()
  if (handle.pending) handle.approve()
  const { accounts } = await answer
  const [account] = accounts
  if (!account) throw new Error('No account')
  return account
}

export function getChanges(wallet: Wallet): StandardEventsChangeProperties[] {
  const changes: StandardEventsChangeProperties[] = []
  getFeatures(wallet)['standard:events'].on('change', change => changes.push(change))
  return changes
}

function root(): ShadowRoot {
  const shadowRoot = document.querySelector('keybay-sandbox-wallet')?.shadowRoot
  if (!shadowRoot) throw new Error('The wallet is not in the page')
  return shadowRoot
}
/** Returns the topmost open dialog. */
export function dialog(): HTMLDialogElement | undefined {
  return [...root().querySelectorAll('dialog')].filter(element => element.open).at(0)
}

export function getTitle(element: HTMLDialogElement | undefined): string | undefined {
  return element?.querySelector('h2')?.textContent ?? undefined
}

export function press(name: string): void {
  const button = [...root().querySelectorAll('button')].find(
    element => element.textContent === name || element.getAttribute('aria-label') === name,
  )
  if (!button) throw new Error(`There is no button "${name}"`)
  button.click()
}
