import { useActiveAccount } from '@keybay/react'
import { ActivityView } from '@keybay/solana/ui'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Page } from '../design/index.js'
import { panelSlots } from '../tokens/panel-slots.js'

export function ActivityPage() {
  const { account } = useActiveAccount()
  return account ? (
    <Page title="Activity">
      <ActivityView address={account.address} slots={panelSlots} />
    </Page>
  ) : (
    <Page title="Activity" width="narrow">
      <NeedsAccount to="see your activity" />
    </Page>
  )
}
