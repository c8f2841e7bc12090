import type { ReactElement } from 'react'
import { Link } from '../routing/link.js'

export function RecoveryCard(): ReactElement {
  return (
    <section className="card" aria-labelledby="custody-recovery">
      <h2 id="custody-recovery">Lost your passkey?</h2>
      <div className="row row-apart">
        <p className="soft small">A code by email lets this browser make a new one. Your accounts stay as they are.</p>
        <Link to="/custody/recover" className="button button-small">
          Recover by email
        </Link>
      </div>
    </section>
  )
}
