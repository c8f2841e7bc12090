import type { ReactElement } from 'react'
import { Glyph, type IconName } from '../design/icons.js'

const promises: readonly { readonly icon: IconName; readonly text: string }[] = [
  {
    icon: 'check',
    text: 'After it is made, no single machine can sign: not this app, not the service, not a thief with one part.',
  },
  {
    icon: 'check',
    text: 'Passwords, recovery codes and private keys are entered in the wallet’s own window, where this app cannot see them.',
  },
  { icon: 'alert', text: 'The service reads each transaction before it signs with you, and can refuse to.' },
  {
    icon: 'alert',
    text: 'New parts do not help once an old part of your device and an old backup were both stolen: then move your money to a new wallet.',
  },
]

/** States what a key split into shares guarantees and what it does not, before the user chooses anything. */
export function Promises(): ReactElement {
  return (
    <section className="card" aria-labelledby="promises">
      <h2 id="promises">What is promised, and what is not</h2>
      <ul className="stack-tight">
        {promises.map(({ icon, text }) => (
          <li key={text} className={`promise promise-${icon}`}>
            <Glyph name={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
