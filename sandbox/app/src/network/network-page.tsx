import { NetworkView } from '@keybay/solana/ui'
import { Page } from '../design/index.js'

/** Node settings of the network in use; the user selects the network in the bar above. */
export function NetworkPage() {
  return (
    <Page title="Node" width="narrow">
      <NetworkView />
    </Page>
  )
}
