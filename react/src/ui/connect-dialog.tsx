import { type ReactElement, type ReactNode, useId } from 'react'
import type { ConnectorFilter } from '../connectors.js'
import { ConnectorList } from './connector-list.js'
import { Modal } from './modal.js'

export interface ConnectDialogProps {
  readonly open: boolean
  /** The user closed it, or is connected. */
  onClose(): void
  /** Which connectors to offer, e.g. `{ kind: 'wallet' }`; by default all. */
  readonly filter?: ConnectorFilter
  /** Default: `Connect`. */
  readonly title?: string
  /** Below the choices, e.g. another way in. */
  readonly children?: ReactNode
}
/**
 * Everything that is installed, to choose from: wallets, logins, and what could be installed. Needs `@keybay/react/ui.css`.
 * Closing it cancels what it began.
 *
 * @example
 * const [open, setOpen] = useState(false)
 * return <>
 *   <button onClick={() => setOpen(true)}>Connect</button>
 *   <ConnectDialog open={open} onClose={() => setOpen(false)} />
 * </>
 */
export function ConnectDialog({
  open,
  onClose,
  filter,
  title = 'Connect',
  children,
}: ConnectDialogProps): ReactElement {
  const id = useId()
  return (
    <Modal open={open} onClose={onClose} labelledBy={id}>
      <h2 id={id}>{title}</h2>
      <ConnectorList filter={filter} onDone={onClose} />
      {children}
    </Modal>
  )
}
