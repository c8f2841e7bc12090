import { useActiveAccount } from '@keybay/react'
import { SendView } from '@keybay/solana/ui'
import { useState } from 'react'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Page } from '../design/index.js'
import { EvmSendCard } from '../evm/evm-actions.js'
import { useEvm } from '../evm/evm-card.js'
import { panelSlots } from '../tokens/panel-slots.js'
import { askForSponsor, useCanBeSponsored } from './sponsorship.js'

function getWantedToken(): string | undefined {
  return new URLSearchParams(location.search).get('token') ?? undefined
}

export function SendForm({ from }: { readonly from: string }) {
  const { networkId } = useCurrentNetwork()
  const canBeSponsored = useCanBeSponsored()
  const [token] = useState(getWantedToken)
  return (
    <SendView
      address={from}
      token={token}
      slots={panelSlots}
      canBeSponsored={canBeSponsored}
      onStart={({ isSponsored }) => askForSponsor(networkId, isSponsored)}
    />
  )
}

export function SendPage() {
  const { account } = useActiveAccount()
  const evm = useEvm()
  return (
    <Page title="Send SOL and tokens" width="narrow">
      {account ? <SendForm key={account.key} from={account.address} /> : <NeedsAccount to="send SOL" />}
      {evm && <EvmSendCard evm={evm} />}
    </Page>
  )
}
