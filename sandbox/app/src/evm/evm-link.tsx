import type { ReactElement } from 'react'
import { shorten } from '../design/format.js'
import { Link } from '../routing/link.js'
import type { Evm } from './use-evm.js'

/** Header link for a user who has only an EVM account. */
export function EvmLink({ evm }: { readonly evm: Evm }): ReactElement {
  const { address } = evm.account
  return (
    <Link to="/" className="button">
      <span className="visually-hidden">EVM account </span>
      <span className="mono" title={address}>
        {shorten(address)}
      </span>
    </Link>
  )
}
