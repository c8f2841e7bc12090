import { formatSol } from '@keybay/solana'
import type { WaasWallet } from '@keybay/waas'
import { useSetPolicy } from '@keybay/waas/react'
import { type FormEvent, useId, useState } from 'react'
import { Button, Card, groupDecimal, Problem, TextField, useChange } from '../design/index.js'
import { amountProblem, readAmount } from '../send/validate.js'
import { tokenText } from '../tokens/demo-tokens.js'
import { getPolicy } from './schemes.js'

const LEAD =
  'The service holds to these rules before it signs with you: it reads each transaction, and counts what leaves in 24 hours, fees included.'
const DEFAULT = 'The wallet’s own window asks you before each signature.'

function describe({ dailyLimit, messages, ...rest }: NonNullable<WaasWallet['policy']>): string {
  const { otherwise, origin, tokens = [] } = rest
  const sol = dailyLimit === undefined ? 'any amount of SOL' : `${groupDecimal(formatSol(dailyLimit))} SOL`
  const amounts = [sol, ...tokens.map(token => tokenText(token.dailyLimit, token))].join(' and ')
  const limit = dailyLimit === undefined ? amounts : `up to ${amounts} a day`
  const app = origin === undefined || origin === location.origin ? 'This app' : origin
  if (otherwise) return `${app} sends ${limit} without asking. The wallet asks about everything else.`
  const what = messages ? 'transfers and messages' : 'transfers'
  return `The wallet signs ${what} without asking, for ${limit}, and refuses everything else.`
}

/** Shows and changes the policy of this browser's share set. */
export function PolicyCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, policy, sets } = wallet
  const setId = sets.find(({ here }) => here)?.setId ?? wallet.setId
  const [amount, setAmount] = useState(policy?.dailyLimit === undefined ? '' : formatSol(policy.dailyLimit))
  const [messages, allowMessages] = useState(policy?.messages ?? false)
  const [touched, touch] = useState(false)
  const { busy, error, run } = useChange(useSetPolicy(), 'The rules hold from now on')
  const id = useId()
  const problem = amountProblem(amount)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    touch(true)
    const dailyLimit = readAmount(amount)
    if (problem !== undefined || dailyLimit === undefined) document.getElementById(id)?.focus()
    else run(accountAddress, getPolicy(dailyLimit, messages), { setId })
  }
  const reset = () => run(accountAddress, null, { setId })
  const isGrant = policy?.otherwise === 'ask'
  const name = isGrant ? 'Asks less' : policy ? 'Your own' : 'Always asks'
  const tag = <span className={policy && !isGrant ? 'keybay-tag keybay-tag-good' : 'keybay-tag'}>{name}</span>
  return (
    <Card title="Rules" side={tag}>
      <p className="soft small">{LEAD}</p>
      <p>{policy ? describe(policy) : DEFAULT}</p>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          id={id}
          label="Most in 24 hours"
          error={touched ? problem : undefined}
          unit="SOL"
          placeholder="1.0"
          value={amount}
          readOnly={busy}
          change={setAmount}
        />
        <label className="row small">
          <input type="checkbox" checked={messages} onChange={event => allowMessages(event.target.checked)} />
          It may sign messages
        </label>
        <div className="row">
          <Button type="submit" text={busy ? 'Changing …' : 'Set the rules'} busy={busy} />
          {policy && <Button kind="quiet" text="Ask before each signature" busy={busy} onClick={reset} />}
        </div>
      </form>
      <Problem title="The rules were not changed." error={error} />
    </Card>
  )
}
