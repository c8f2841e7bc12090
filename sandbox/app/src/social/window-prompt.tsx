import { useConnectors } from '@keybay/react'
import { Icon, type PromptViewProps } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { DialogHead } from '../design/dialog-head.js'

/** Shown while the user continues in the provider's window: brings that window back or cancels. */
export function WindowPrompt({ prompt, titleId }: PromptViewProps<'social-window'>): ReactElement {
  const { name, provider } = prompt
  const connector = useConnectors({ method: 'oauth' }).find(useConnector => useConnector.id === `social:${provider}`)
  return (
    <>
      <DialogHead id={titleId} title={name} />
      <div className="dialog-body attempt">
        {connector && (
          <span className="social-mark">
            <Icon connector={connector} size={48} />
          </span>
        )}
        <p className="row" role="status">
          <span className="spinner" aria-hidden="true" />
          <span>Go on in the window of {name}. It closes by itself.</span>
        </p>
        <button type="button" className="button button-primary button-wide" onClick={prompt.focus}>
          Show the window
        </button>
        <button type="button" className="button button-wide" onClick={prompt.cancel}>
          Cancel
        </button>
      </div>
    </>
  )
}
