import type { Connector } from '@keybay/kernel'
import { type ReactElement, type ReactNode, useId } from 'react'
import type { ConnectorFilter } from '../connectors.js'
import { ConnectorList } from './connector-list.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { Modal } from './modal.js'

export interface ConnectDialogProps {
  readonly open: boolean
  /** Called when the user closed it or is connected. */
  onClose(): void
  /** Which connectors to offer, e.g. `{ kind: 'wallet' }`; by default all. */
  readonly filter?: ConnectorFilter
  /** Default: `Connect`, in the language of the UI. */
  readonly title?: string
  /**
   * Called after the dialog has closed, instead of an error, when the chosen wallet belongs to an account and no user is
   * signed in. Sign the user in, then connect it.
   */
  onSignIn?(connector: Connector): void
  /**
   * By connector id: wallets of the user's account, which the app sets up. If the chosen one has no account in this browser,
   * the dialog offers to call the function, and closes.
   */
  readonly setUp?: Readonly<Record<string, () => void>>
  /** Shown below the choices, e.g. another way to sign in. */
  readonly children?: ReactNode
}
/**
 * A dialog to choose a wallet or login, or a wallet to install. Closing it cancels the attempt that it began. Needs
 * `@keybay/react/ui.css`.
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
  title,
  onSignIn,
  setUp,
  children,
}: ConnectDialogProps): ReactElement {
  const id = useId()
  const { text } = useMessages(ui)
  return (
    <Modal open={open} onClose={onClose} labelledBy={id}>
      <h2 id={id}>{title ?? text('connect')}</h2>
      <ConnectorList filter={filter} onDone={onClose} onSignIn={onSignIn} setUp={setUp} />
      {children}
    </Modal>
  )
}
