import { useActiveAccount } from '@keybay/react'
import type { ReactElement } from 'react'
import { NeedsAccount } from '../connect/needs-account.js'
import { EvmSendCard } from '../evm/evm-send-card.js'
import { useEvm } from '../evm/use-evm.js'
import { Page } from '../shell/page.js'
import { SendForm } from './send-form.js'

export function SendPage(): ReactElement {
  const { account } = useActiveAccount()
  const evm = useEvm()
  return (
    <Page title="Send SOL and tokens" width="narrow">
      {account ? <SendForm key={account.key} from={account.address} /> : <NeedsAccount to="send SOL" />}
      {evm && <EvmSendCard evm={evm} />}
    </Page>
  )
}
