import { Button, Notice, sendMessages, TextField, toast, useMessages, useRecent } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { isAddress } from '../../address.js'
import { useCurrentNetwork } from '../current-network.js'
import { ScanButton } from './scan-button.js'

/** Characters at each end that a user compares, and that a forged address copies. */
const ENDS = 4

/** Addresses that this account sent to from this browser, on the network in use. Erased at sign-out. */
export function useRecipients(from: string): ReturnType<typeof useRecent> {
  const { networkId } = useCurrentNetwork()
  const recent = useRecent(`user:sent:${networkId}:${from}`)
  // Other scripts of the page, and older versions, may have written anything.
  return { ...recent, list: recent.list.filter(isAddress) }
}

function getEnds(address: string): string {
  return `${address.slice(0, ENDS)} ${address.slice(-ENDS)}`.toLowerCase()
}

export interface DestinationProps {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly error: string | undefined
  change(to: string): void
  leave(): void
}
/** The field of the receiver: typed, pasted, scanned, or one of those that the user sent to before. */
export function Destination({ id, from, to, error, change, leave }: DestinationProps): ReactElement {
  const { text } = useMessages(sendMessages)
  const { list } = useRecipients(from)
  const address = to.trim()
  const isKnown = list.includes(address)
  // A user could take one for the other.
  const isForged = !isKnown && list.some(known => getEnds(known) === getEnds(address))
  const paste = () =>
    navigator.clipboard.readText().then(
      pasted => change(pasted.trim()),
      () => toast(text('pasteBlocked'), 'bad'),
    )
  const choose = (recipient: string) => {
    change(recipient)
    document.getElementById(`${id}-amount`)?.focus()
  }
  const side = (
    <span className="keybay-line">
      {globalThis.navigator?.clipboard && (
        <Button small kind="quiet" text={text('paste')} onClick={() => void paste()} />
      )}
      <ScanButton enter={change} />
    </span>
  )
  return (
    <div className="keybay-stack keybay-tight">
      <TextField
        id={`${id}-to`}
        label={text('destination')}
        side={side}
        error={error}
        mono
        dir="ltr"
        placeholder={text('addressHint')}
        value={to}
        change={change}
        onBlur={leave}
      />
      {isKnown && (
        <p className="keybay-soft keybay-small" role="status">
          {text('sentBefore')}
        </p>
      )}
      {isForged && (
        <Notice kind="warn" title={text('lookAlike')}>
          {text('lookAlikeText')}
        </Notice>
      )}
      {address === '' && list.length > 0 && (
        <section className="keybay-stack keybay-tight" aria-labelledby={`${id}-recent`}>
          <h2 id={`${id}-recent`} className="keybay-soft keybay-small">
            {text('recent')}
          </h2>
          <ul className="keybay-options">
            {list.map(recipient => (
              <li key={recipient}>
                <button type="button" className="keybay-row" onClick={() => choose(recipient)}>
                  <bdi className="keybay-mono keybay-small keybay-break">{recipient}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
