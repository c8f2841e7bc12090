/** Baseline without a kit: the least code that lists Wallet Standard wallets, connects and signs. */
import type { SolanaSignMessageFeature } from '@solana/wallet-standard-features'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount, WalletWithFeatures } from '@wallet-standard/base'
import type { StandardConnectFeature } from '@wallet-standard/features'
import { useState, useSyncExternalStore } from 'react'
import type { AppProps } from '../../harness/page.js'

type Usable = WalletWithFeatures<StandardConnectFeature & SolanaSignMessageFeature>

function isUsable(wallet: Wallet): wallet is Usable {
  return 'standard:connect' in wallet.features && 'solana:signMessage' in wallet.features
}

const { get, on } = getWallets()
let wallets = get()
const listeners = new Set<() => void>()

function update() {
  wallets = get()
  for (const listener of listeners) listener()
}
on('register', update)
on('unregister', update)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function snapshot() {
  return wallets
}

export function App({ onRender, useCommit, onSigned }: AppProps) {
  const list = useSyncExternalStore(subscribe, snapshot, snapshot)
  const [connected, setConnected] = useState<{ wallet: Usable; account: WalletAccount }>()
  onRender()
  useCommit(list.length)
  if (connected) {
    const { wallet, account } = connected
    const sign = async () => {
      const [output] = await wallet.features['solana:signMessage'].signMessage({
        account,
        message: new Uint8Array([1]),
      })
      onSigned(output?.signature.length ?? 0)
    }
    return (
      <button type="button" id="sign" onClick={sign}>
        Sign
      </button>
    )
  }
  const connect = async (wallet: Wallet) => {
    if (!isUsable(wallet)) return
    const { accounts } = await wallet.features['standard:connect'].connect()
    if (accounts[0]) setConnected({ wallet, account: accounts[0] })
  }
  return (
    <ul>
      {list.map(wallet => (
        <li key={wallet.name}>
          <button type="button" onClick={() => connect(wallet)}>
            {wallet.name}
          </button>
        </li>
      ))}
    </ul>
  )
}
