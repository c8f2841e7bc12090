import { useAction, useActiveAccount, useKeybay } from '@keybay/react'
import { parseSol } from '@keybay/solana'
import { Button, LabCard, Problem } from '../design/index.js'
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
