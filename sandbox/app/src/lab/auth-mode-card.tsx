import type { ReactElement } from 'react'
import { authMode, changeAuthMode } from '../auth-mode.js'

/** Sets the kit's `authMode`; the choice is stored in this browser. */
export function AuthModeCard(): ReactElement {
  const signs = authMode === 'connect-and-sign'
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>Connecting {signs ? 'signs in too' : 'does not sign in'}</h2>
        <p className="soft">
          {signs
            ? 'Whoever connects a wallet proves that it is theirs and is signed in, with one approval where the wallet can.'
            : 'A wallet is connected without a proof; signing in is a step of its own.'}
        </p>
      </div>
      <button
        type="button"
        className="button"
        onClick={() => changeAuthMode(signs ? 'connect-only' : 'connect-and-sign')}
      >
        {signs ? 'Connect only' : 'Connect and sign in'}
      </button>
    </li>
  )
}
