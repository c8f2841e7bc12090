import type { KeybayError } from '@keybay/kernel'
import { Icon } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { DialogHead } from '../design/dialog-head.js'
import { Notice } from '../design/feedback.js'
import { explain } from '../wording.js'
import type { Choice } from './use-attempt.js'

/** Returns what the user has to do now. */
function waiting({ kind, id, name }: Choice['connector']): string {
  if (kind === 'wallet')
    return `Confirm in ${name}. It may ask twice: to connect, and to sign. Nothing is sent and nothing costs.`
  return id === 'passkey' ? 'Follow the window of your browser.' : 'One moment.'
}

/** A phone may open a new tab for the response of a wallet app. */
function isReachedByLeaving(connector: Choice['connector']): boolean {
  return connector.kind === 'wallet' && connector.connectionType === 'deepLink'
}

interface AttemptViewProps {
  readonly titleId: string
  readonly choice: Choice
  readonly error: KeybayError | undefined
  retry(choice: Choice): void
  back(): void
}
/** Shows the progress of the chosen method, and what to do when it fails. */
export function AttemptView({ titleId, choice, error, retry, back }: AttemptViewProps): ReactElement {
  const { connector } = choice
  return (
    <>
      <DialogHead id={titleId} title={connector.name} back="Choose another way" onBack={back} />
      <div className="dialog-body attempt">
        <Icon connector={connector} size={56} />
        {error?.code === 'aborted' && isReachedByLeaving(connector) ? (
          <Notice title={`${connector.name} came back to another tab.`}>Go on there.</Notice>
        ) : error ? (
          <>
            <Notice kind={error.walletCode === 2 ? 'warn' : 'bad'} title="Not signed in.">
              {explain(error)}
            </Notice>
            <button type="button" className="button button-primary button-wide" onClick={() => retry(choice)}>
              Try again
            </button>
          </>
        ) : (
          <>
            <p className="row" role="status">
              <span className="spinner" aria-hidden="true" />
              <span>{waiting(connector)}</span>
            </p>
            <button type="button" className="button button-wide" onClick={back}>
              Cancel
            </button>
          </>
        )}
      </div>
    </>
  )
}
