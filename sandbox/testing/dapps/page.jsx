/**
 * Renders the same content for the dapps of all libraries: the wallets, then the address, and a signature over one
 * message.
 */
import bs58 from 'bs58'
import { useState } from 'react'

export const MESSAGE = 'Signed by a dapp of another library'

/** Adds a section to the host's page for the dapp alone. */
export function place() {
  const section = document.createElement('section')
  section.setAttribute('aria-label', 'Dapp')
  document.querySelector('main').append(section)
  return section
}

export function Wallets({ names, choose }) {
  return (
    <ul>
      {names.map(name => (
        <li key={name}>
          <button type="button" onClick={() => choose(name)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

export function Signer({ address, sign }) {
  const [signature, show] = useState('')
  const run = async () => show(bs58.encode(await sign(new TextEncoder().encode(MESSAGE))))
  return (
    <>
      <output aria-label="Address">{address}</output>
      <button type="button" onClick={run}>
        Sign
      </button>
      <output aria-label="Signature">{signature}</output>
    </>
  )
}
