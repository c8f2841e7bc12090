import { useAction, useKeybay } from '@keybay/react'
import { Button, Card, download, Problem, useChange } from '../design/index.js'

/** Saves everything that the services know about the user as one file. */
export function DataCard() {
  const { account } = useKeybay()
  const action = useAction((signal: AbortSignal) => account.exportData({ signal }))
  const { busy, error, run } = useChange(action, 'Your data is in a file', data =>
    download('account-data.json', 'application/json', JSON.stringify(data, null, 2)),
  )
  return (
    <Card title="Your data">
      <p className="soft">
        Everything that we know about you, as one file. Keys, wallet backups and other secrets are not in it.
      </p>
      <div className="row">
        <Button text={busy ? 'Collecting your data …' : 'Download my data'} busy={busy} onClick={() => run()} />
      </div>
      <Problem title="Your data was not downloaded." error={error} />
    </Card>
  )
}
