import { useUser } from '@keybay/account/react'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import type { ReactElement } from 'react'
import { userName } from '../account/names.js'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Empty } from '../design/feedback.js'
import { Link } from '../routing/link.js'

/** Creates a custody wallet for a user without one: one click, one passkey. */
export function CreateCard(): ReactElement {
  const { user } = useUser()
  const create = useChange(useTurnkeyWallet().create, 'Your wallet is made')
  return (
    <section className="card">
      <Empty
        icon="key"
        title="You have no custody wallet yet"
        action={
          <button
            type="button"
            className="button button-primary"
            aria-disabled={create.busy}
            onClick={() => create.run(user ? { passkeyName: userName(user) } : {})}
          >
            {create.busy ? 'Follow your browser …' : 'Create wallet'}
          </button>
        }
      >
        It has an account on Solana and one on Ethereum. Your browser asks for a new passkey, which guards it; if you
        lose it, you recover by email.
      </Empty>
      <p className="soft small">
        A wallet whose key no single machine holds is <Link to="/wallets">over here</Link>.
      </p>
      <Problem title="The wallet was not made." error={create.error} />
    </section>
  )
}
