import type { WaasWallet } from '@keybay/waas'
import { useAddDevice } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'

/** In a browser without a share of the wallet: explains how to add it as a device. */
export function JoinCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress } = wallet
  const add = useChange(useAddDevice(), 'This browser signs for the wallet now')
  return (
    <section className="card" aria-labelledby="join">
      <h2 id="join">Sign in this browser too</h2>
      <p>
        This browser holds no part of the key. It can get a set of parts of its own, which you can revoke without
        touching the others.
      </p>
      <div className="row">
        <button
          type="button"
          className="button button-primary"
          aria-disabled={add.busy}
          onClick={() => add.run(accountAddress)}
        >
          {add.busy ? 'Waiting for your other device …' : 'Ask another device'}
        </button>
      </div>
      <p className="soft small">
        A code is shown here. On a device that has the wallet, open this page, and under “Devices” add the one with the
        same code.
      </p>
      <Problem title="This browser was not added." error={add.error} />
    </section>
  )
}
