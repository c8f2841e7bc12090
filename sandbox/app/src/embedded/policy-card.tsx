import { formatSol } from '@keybay/solana'
import type { WaasWallet } from '@keybay/waas'
import { useSetPolicy } from '@keybay/waas/react'
import { type FormEvent, type ReactElement, useId, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Field } from '../design/field.js'
import { groupDecimal } from '../design/format.js'
import { amountProblem, readAmount } from '../send/validate.js'
import { getPolicy } from './policy.js'

const LEAD =
  'The service holds to these rules before it signs with you: it reads each transaction, and counts what leaves in 24 hours, fees included.'

/** Shows and changes the policy of this browser's share set. */
export function PolicyCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, policy, sets, setId } = wallet
  const own = sets.find(({ here }) => here)?.setId ?? setId
  const [amount, setAmount] = useState(policy?.dailyLimit === undefined ? '' : formatSol(policy.dailyLimit))
  const [messages, allowMessages] = useState(policy?.messages ?? true)
  const [touched, touch] = useState(false)
  const change = useChange(useSetPolicy(), 'The rules hold from now on')
  const id = useId()
  const problem = amountProblem(amount)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    touch(true)
    const dailyLimit = readAmount(amount)
    if (problem !== undefined || dailyLimit === undefined) {
      document.getElementById(id)?.focus()
      return
    }
    change.run(accountAddress, getPolicy(dailyLimit, messages), { setId: own })
  }
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`}>Rules</h2>
        <span className={policy ? 'tag tag-good' : 'tag'}>{policy ? 'Your own' : 'The service’s'}</span>
      </div>
      <p className="soft small">{LEAD}</p>
      <p>
        {policy?.dailyLimit !== undefined
          ? `At most ${groupDecimal(formatSol(policy.dailyLimit))} SOL a day, and nothing but transfers${policy.messages ? ' and messages' : ''}.`
          : 'Ordinary transfers pass up to the service’s daily cap; for more, and for anything else, the wallet’s own window asks you.'}
      </p>
      <form className="stack" onSubmit={submit} noValidate>
        <Field id={id} label="Most in 24 hours" error={touched ? problem : undefined}>
          {aria => (
            <div className="input-unit">
              <input
                {...aria}
                className="input number"
                inputMode="decimal"
                autoComplete="off"
                placeholder="1.0"
                value={amount}
                readOnly={change.busy}
                onChange={event => setAmount(event.target.value)}
              />
              <div>SOL</div>
            </div>
          )}
        </Field>
        <label className="row small">
          <input type="checkbox" checked={messages} onChange={event => allowMessages(event.target.checked)} />
          It may sign messages
        </label>
        <div className="row">
          <button type="submit" className="button" aria-disabled={change.busy}>
            {change.busy ? 'Changing …' : 'Set the rules'}
          </button>
          {policy && (
            <button
              type="button"
              className="button button-quiet"
              aria-disabled={change.busy}
              onClick={() => change.run(accountAddress, null, { setId: own })}
            >
              Back to the service’s own
            </button>
          )}
        </div>
      </form>
      <Problem title="The rules were not changed." error={change.error} />
    </section>
  )
}
