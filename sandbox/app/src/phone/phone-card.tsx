import { useAction, useActiveAccount, useKeybay } from '@keybay/react'
import { parseSol } from '@keybay/solana'
import { useSyncExternalStore } from 'react'
import { Button, LabCard, Problem, QrCode } from '../design/index.js'
import { openPhoneWindow } from './phone-window.js'

const TEXT =
  'On a phone, Phantom and Solflare are reached by leaving this page. What they sign comes back with them. Without a phone, open one in a window, and connect there.'

/** Features without a button elsewhere: signing without sending, signing several at once, and sending by the wallet. */
export function PhoneCard() {
  const { solana, connectors } = useKeybay()
  const { account } = useActiveAccount()
  const { run, error } = useAction(async (_signal, count: number, send: boolean) => {
    const connector = account && connectors.get(account.connectorId)
    if (!account || connector?.kind !== 'wallet') return
    const { build } = await solana.steps()
    const transfers = Array.from({ length: count }, (_, index) => ({
      to: account.address,
      lamports: parseSol('0.001') * BigInt(index + 1),
    }))
    const built = await Promise.all(transfers.map(transfer => build(transfer)))
    const chain = 'solana:localnet' as const
    const inputs = built.map(({ transaction }) => ({ account: account.walletAccount, transaction, chain }))
    const { features } = connector.wallet
    if (send) await features['solana:signAndSendTransaction']?.signAndSendTransaction(...inputs)
    else await features['solana:signTransaction']?.signTransaction(...inputs)
  })
  const sign = (text: string, count: number, send: boolean) => (
    <Button text={text} disabled={!account} onClick={() => run(count, send)} />
  )
  return (
    <LabCard title="A wallet on this phone" text={TEXT}>
      <div className="stack">
        <Problem title="Not signed." error={error} />
        <Button text="Open a phone in a window" onClick={openPhoneWindow} />
        {sign('Sign a transaction', 1, false)}
        {sign('Sign two transactions', 2, false)}
        {sign('Sign and send', 1, true)}
      </div>
    </LabCard>
  )
}

/** Matches a large screen with a mouse: on a phone the page is already open. */
const desktop = matchMedia('(min-width: 48rem) and (pointer: fine)')

function subscribe(listener: () => void) {
  desktop.addEventListener('change', listener)
  return () => desktop.removeEventListener('change', listener)
}

/** Lets a desktop user open this app in a phone-sized window, where wallets are apps. */
export function OnPhone() {
  const isDesktop = useSyncExternalStore(subscribe, () => desktop.matches)
  if (!isDesktop) return null
  const { origin, hostname } = location
  return (
    <details className="on-phone">
      <summary>My wallet is on my phone</summary>
      <div className="stack-tight">
        <QrCode text={`${origin}/`} label="QR code that opens this app on your phone" />
        <p className="soft small">
          Scan it with your phone’s camera. There, Phantom and Solflare are first in this list.
          {/(^|\.)localhost$/.test(hostname) &&
            ` A phone finds ${hostname} only on itself: give the app a name that your phone can reach.`}
        </p>
        <Button text="Open a phone in a window" onClick={openPhoneWindow} />
      </div>
    </details>
  )
}
