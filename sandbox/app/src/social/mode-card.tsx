import { type ReactElement, useState } from 'react'
import { chooseSocialMode, socialMode } from './social-mode.js'

/** Sets the kit's `mode` of social sign-in; the choice is stored in this browser. */
export function SocialModeCard(): ReactElement {
  const [mode, setMode] = useState(socialMode)
  const opens = mode === 'popup'
  const change = () => {
    const next = opens ? 'redirect' : 'popup'
    chooseSocialMode(next)
    setMode(next)
  }
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>Social sign-in {opens ? 'opens a window' : 'leaves the page'}</h2>
        <p className="soft">
          {opens
            ? 'The provider is visited in a window of its own; this page stays.'
            : 'The provider is visited in this tab, and the page goes on where it was when you come back.'}
        </p>
      </div>
      <button type="button" className="button" onClick={change}>
        {opens ? 'Leave the page instead' : 'Open a window instead'}
      </button>
    </li>
  )
}
