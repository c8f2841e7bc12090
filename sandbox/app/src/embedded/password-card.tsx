import type { WaasWallet } from '@keybay/waas'
import { useWalletPassword } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'

/** Manages the password that protects this browser's share. The user types it only in the wallet's own window. */
export function PasswordCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, passwordEncrypted } = wallet
  const password = useWalletPassword(accountAddress)
  const set = useChange(password.set, 'This browser asks for the password from now on')
  const update = useChange(password.update, 'The password is changed')
  const { busy, error } = passwordEncrypted ? update : set
  return (
    <section className="card" aria-labelledby="password">
      <div className="card-head">
        <h2 id="password">Password</h2>
        <span className={passwordEncrypted ? 'tag tag-good' : 'tag'}>{passwordEncrypted ? 'Set' : 'None'}</span>
      </div>
      <p className="soft small">
        It locks this browser’s part of the key: signing, new parts and export ask for it. Neither this page nor the
        service ever sees it. Your backup has a password of its own, which brings you back if you forget this one.
      </p>
      <div className="row">
        <button
          type="button"
          className="button"
          aria-disabled={busy}
          onClick={() => (passwordEncrypted ? update : set).run()}
        >
          {passwordEncrypted ? 'Change the password' : 'Set a password'}
        </button>
      </div>
      <Problem title="The password is what it was." error={error} />
    </section>
  )
}
