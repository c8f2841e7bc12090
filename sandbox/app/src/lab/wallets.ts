/** Registers extra wallets while the page is open, to test what a kit must handle. */
import { createStore } from '@keybay/kernel'
import { announce, hostileWallets, registerManyWallets, registerSandboxWallet } from '@keybay/sandbox-wallets'
import { chainUrl } from '../config.js'

const MANY = 1000

export interface LabWallet {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Adds the wallet to the page; returns a function that removes it. */
  add(): () => void
}

export const labWallets: readonly LabWallet[] = [
  {
    id: 'second',
    title: 'A second wallet',
    text: 'With keys of its own. Connect both, and choose which account is in use. Connect it, reload, and add it again: it comes back by itself.',
    add: () =>
      registerSandboxWallet({
        name: 'Harbour Wallet',
        rpcUrl: chainUrl,
        storagePrefix: 'keybay-harbour-wallet:',
        launcher: false,
      }).unregister,
  },
  {
    id: 'mute',
    title: 'A wallet that cannot sign messages',
    text: 'It connects and sends. Asked to sign a message, the kit says so before the wallet is bothered.',
    add: () =>
      registerSandboxWallet({
        name: 'Mute Wallet',
        rpcUrl: chainUrl,
        storagePrefix: 'keybay-mute-wallet:',
        features: ['standard:connect', 'standard:disconnect', 'standard:events', 'solana:signTransaction'],
        launcher: false,
      }).unregister,
  },
  {
    id: 'plain',
    title: 'A wallet that signs in by message',
    text: 'It has no sign-in of its own: it connects first, then signs the message that signs you in.',
    add: () =>
      registerSandboxWallet({
        name: 'Plain Wallet',
        rpcUrl: chainUrl,
        storagePrefix: 'keybay-plain-wallet:',
        features: [
          'standard:connect',
          'standard:disconnect',
          'standard:events',
          'solana:signMessage',
          'solana:signTransaction',
        ],
        launcher: false,
      }).unregister,
  },
  {
    id: 'hardware',
    title: 'A hardware wallet',
    text: 'Its device signs transactions and refuses messages. It signs in with a transaction that is never sent.',
    add: () =>
      registerSandboxWallet({
        name: 'Vault Wallet',
        rpcUrl: chainUrl,
        storagePrefix: 'keybay-vault-wallet:',
        hardware: true,
        launcher: false,
      }).unregister,
  },
  {
    id: 'many',
    title: `${MANY.toLocaleString('en')} wallets`,
    text: 'Each with a real key. The connect dialog still opens at once, and the search finds one among them.',
    add: () => registerManyWallets(MANY).unregister,
  },
  {
    id: 'hostile',
    title: 'Hostile wallets',
    text: 'Wrong shapes, getters that throw, scripts in names and icons, answers that make no sense. None may harm the page.',
    add: () => {
      const leave = hostileWallets().map(({ wallet }) => announce(wallet))
      return () => {
        for (const one of leave) one()
      }
    },
  },
]

const added = new Map<string, () => void>()
const store = createStore<readonly string[]>([], error => console.error(error))

export const inPage: Pick<typeof store, 'get' | 'subscribe'> = store
/** Adds the wallet to the page, or removes it. */
export function toggleLabWallet({ id, add }: LabWallet): void {
  const remove = added.get(id)
  if (remove) {
    remove()
    added.delete(id)
  } else added.set(id, add())
  store.set([...added.keys()])
}
