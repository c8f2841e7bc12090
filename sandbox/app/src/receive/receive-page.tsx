import type { Account } from '@keybay/kernel'
import { useActiveAccount } from '@keybay/react'
import { type PanelSlots, ReceiveView } from '@keybay/solana/ui'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Page } from '../design/index.js'
import { QrCode } from '../design/qr-code.js'
import { ReceiveGate } from '../embedded/receive-gate.js'
import { AirdropButton } from '../tokens/faucet.js'

function Receive({ account }: { readonly account: Account }) {
  const { isTestnet } = useCurrentNetwork()
  const slots: PanelSlots = {
    qr: code => <QrCode {...code} />,
    receive: address => isTestnet && <AirdropButton address={address} />,
    gate: ({ children }) => <ReceiveGate account={account}>{children}</ReceiveGate>,
  }
  return <ReceiveView address={account.address} slots={slots} />
}

export function ReceivePage() {
  const { account } = useActiveAccount()
  return (
    <Page title="Receive" width="narrow" lead="Receive SOL at your address.">
      {account ? <Receive account={account} /> : <NeedsAccount to="receive" />}
    </Page>
  )
}
