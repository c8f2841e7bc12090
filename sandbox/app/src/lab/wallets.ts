/** Registers extra wallets while the page is open, to test what a kit must handle. */
import { createStore } from '@keybay/kernel'
import {
  announce,
  hostileWallets,
  registerManyWallets,
  registerSandboxWallet,
  type SandboxWalletOptions,
} from '@keybay/sandbox-wallets'
import { chainUrl } from '../config.js'

const MANY = 1000
const BASICS = ['standard:connect', 'standard:disconnect', 'standard:events', 'solana:signTransaction'] as const

interface LabWallet {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Wallet that the button adds. */
  readonly what: string
  /** Behaviour that shows that the kit handles it. */
  readonly watch: string
  add(): () => void
}

function sandboxWallet(id: string, name: string, options: SandboxWalletOptions = {}): () => () => void {
  const common = { name, rpcUrl: chainUrl, storagePrefix: `keybay-${id}-wallet:`, launcher: false }
  return () => registerSandboxWallet({ ...common, ...options }).unregister
}

export const labWallets: readonly LabWallet[] = [
  {
    id: 'second',
    title: 'A second wallet',
    text: 'A wallet with keys of its own, beside the sandbox’s.',
    what: 'Harbour Wallet',
    watch: 'Connect both and choose the account in use. Reload and add it again: it connects by itself.',
    add: sandboxWallet('harbour', 'Harbour Wallet'),
  },
  {
    id: 'mute',
    title: 'A wallet that cannot sign messages',
    text: 'It connects and sends.',
    what: 'Mute Wallet',
    watch: 'Sign a message: the app says that the wallet cannot, and the wallet stays closed.',
    add: sandboxWallet('mute', 'Mute Wallet', { features: BASICS }),
  },
  {
    id: 'plain',
    title: 'A wallet that signs in by message',
    text: 'It has no sign-in of its own.',
    what: 'Plain Wallet',
    watch: 'Sign in with it: it asks twice, to connect and to sign the message.',
    add: sandboxWallet('plain', 'Plain Wallet', { features: [...BASICS, 'solana:signMessage'] }),
  },
  {
    id: 'hardware',
    title: 'A hardware wallet',
    text: 'Its device signs transactions and refuses messages.',
    what: 'Vault Wallet',
    watch: 'Sign in with it: it signs a transaction that is never sent.',
    add: sandboxWallet('vault', 'Vault Wallet', { hardware: true }),
  },
  {
    id: 'many',
    title: `${MANY.toLocaleString('en')} wallets`,
    text: 'Each with a real key.',
    what: `${MANY.toLocaleString('en')} wallets`,
    watch: 'Open the connect dialog: it opens at once, and its search finds one among them.',
    add: () => registerManyWallets(MANY).unregister,
  },
  {
    id: 'hostile',
    title: 'Hostile wallets',
    text: 'Wrong shapes, getters that throw, scripts in names and icons, answers that make no sense.',
    what: 'hostile wallets',
    watch: 'Connect any of them: the page goes on, and no script of theirs runs.',
    add: () => {
      const withdraw = hostileWallets().map(({ wallet }) => announce(wallet))
      return () => {
        for (const remove of withdraw) remove()
      }
    },
  },
]

const added = new Map<string, () => void>()
const store = createStore<readonly string[]>([], error => console.error(error))

export const inPage: Pick<typeof store, 'get' | 'subscribe'> = store
export function toggleLabWallet({ id, add }: LabWallet): void {
  const remove = added.get(id)
  if (remove) {
    remove()
    added.delete(id)
  } else added.set(id, add())
  store.set([...added.keys()])
}
