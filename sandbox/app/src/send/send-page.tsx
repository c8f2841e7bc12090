import { useActiveAccount } from '@keybay/react'
import type { ReactElement } from 'react'
import { NeedsAccount } from '../connect/needs-account.js'
import { Page } from '../shell/page.js'
import { SendForm } from './send-form.js'

export function SendPage(): ReactElement {
  const { account } = useActiveAccount()
  return (
    <Page title="Send SOL" width="narrow">
      {account ? <SendForm key={account.key} from={account.address} /> : <NeedsAccount to="send" />}
    </Page>
  )
}
