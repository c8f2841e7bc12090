import type { ReactElement } from 'react'
import { CopyButton } from '../design/copy-button.js'

const FOLDER = 'sandbox/wallets/dist/unpacked'

/** Explains how to install the sandbox's browser extension, because a page cannot install it. */
export function ExtensionCard(): ReactElement {
  return (
    <li className="card">
      <div className="stack-tight">
        <h2>A browser extension</h2>
        <p className="soft">
          A real one, with a window of its own. In Chrome, Edge or Brave open{' '}
          <span className="mono">chrome://extensions</span>, switch on “Developer mode”, press “Load unpacked” and
          choose the folder <span className="mono">{FOLDER}</span> of this repository. Then reload this page: it is
          listed as Phantom, and for EVM as Phantom (EVM). Its file <span className="mono">config.js</span> says how it
          shows itself.
        </p>
      </div>
      <CopyButton text={FOLDER} label="Copy the folder">
        Copy the folder
      </CopyButton>
    </li>
  )
}
