import { useAction } from '@keybay/react'
import { Button, Card, Problem, securityMessages, useChange, useMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useAccount } from '../react/account.js'
import { download } from './download.js'

/** Saves everything that the services know about the user as one file. */
export function DataCard(): ReactElement {
  const account = useAccount()
  const { text } = useMessages(securityMessages)
  const action = useAction((signal: AbortSignal) => account.exportData({ signal }))
  const { busy, error, run } = useChange(action, text('dataDone'), data =>
    download('account-data.json', 'application/json', JSON.stringify(data, null, 2)),
  )
  return (
    <Card title={text('dataTitle')}>
      <p className="keybay-soft">{text('dataText')}</p>
      <div className="keybay-line">
        <Button text={text(busy ? 'collecting' : 'dataGet')} busy={busy} onClick={() => run()} />
      </div>
      <Problem title={text('dataFailed')} error={error} />
    </Card>
  )
}
