import { shorten } from '@keybay/kernel/spec'
import { Loading, Notice, Skeleton, sendMessages, useExplain, useMessages } from '@keybay/react/ui'
import { type ReactElement, useId } from 'react'
import { type UseFee, useSimulation } from '../../react/draft.js'
import type { BalanceChange, SendInput } from '../../steps.js'
import { signed, solText } from '../format.js'
import { useTokens } from '../tokens.js'

/** Errors shown elsewhere: insufficient funds at the amount, an unreachable node above the page. */
const TOLD_ELSEWHERE = ['insufficient_funds', 'rpc_unreachable']

/** Costs that the user's SOL pays, if a token is sent. */
type Costs = 'you' | 'youFee' | 'youRent'

interface ChangeProps {
  readonly change: BalanceChange
  readonly from: string
  readonly costs: Costs
}
function Change({ change: { owner, before, after, token }, from, costs }: ChangeProps) {
  const { text } = useMessages(sendMessages)
  const { amountText } = useTokens()
  const write = (size: bigint) => (token ? amountText(size, token) : solText(size))
  return (
    <li className="keybay-line keybay-apart keybay-small">
      {owner === from ? (
        <span title={owner}>{text(token ? 'you' : costs)}</span>
      ) : (
        <bdi title={owner} className="keybay-mono">
          {shorten(owner)}
        </bdi>
      )}
      <bdi className={after > before ? 'keybay-number keybay-came' : 'keybay-number'}>
        {signed(after - before, write)}
      </bdi>
    </li>
  )
}

/** Returns the amount that neither the sender nor the receiver has afterwards, if there is one. */
function getWithheld(changes: readonly BalanceChange[], mint: string) {
  const ofToken = changes.filter(({ token }) => token?.mint === mint)
  const amount = ofToken.reduce((sum, { before, after }) => sum + before - after, 0n)
  const token = ofToken[0]?.token
  return amount > 0n && token ? { amount, token } : undefined
}

/** Says what the SOL of a token transfer pays for: the network fee, and rent if it takes more. */
function getCosts(changes: readonly BalanceChange[], from: string, fee: bigint | undefined): Costs {
  if (fee === undefined) return 'you'
  const solChange = changes.find(({ owner, token }) => owner === from && !token)
  const rent = solChange ? solChange.before - solChange.after - fee : 0n
  return rent > 0n ? 'youRent' : 'youFee'
}

/** States the network fee, or why it is not known. */
function Fee({ cost: { fee, status }, isSponsored }: { readonly cost: UseFee; readonly isSponsored: boolean }) {
  const { text } = useMessages(sendMessages)
  const getText = () => {
    if (isSponsored) return text('paid')
    if (fee !== undefined) return <bdi>{solText(fee)}</bdi>
    if (status === 'idle') return <span className="keybay-soft">{text('feeLater')}</span>
    if (status === 'error') return <span className="keybay-soft">{text('feeUnknown')}</span>
    return (
      <>
        <Skeleton width={10} />
        <Loading what={text('theFee')} />
      </>
    )
  }
  return (
    <p className="keybay-line keybay-apart keybay-small keybay-rule">
      <span className="keybay-soft">{text('networkFee')}</span>
      <span className="keybay-number" aria-live="polite">
        {getText()}
      </span>
    </p>
  )
}

export interface PreviewProps {
  readonly from: string
  /** Undefined while the form is incomplete. */
  readonly input: SendInput | undefined
  readonly cost: UseFee
  readonly isSponsored: boolean
  /** The steps below the form say what it costs. */
  readonly isSending: boolean
  /** The transfer has failed, and its error is shown below. */
  readonly hasFailed: boolean
}
/** Simulates the transfer and shows its balance changes and cost, before the wallet is prompted. */
export function Preview({ from, input, cost, isSponsored, isSending, hasFailed }: PreviewProps): ReactElement {
  const { text, rich } = useMessages(sendMessages)
  const explain = useExplain()
  const { symbol, amountText } = useTokens()
  const id = useId()
  const { simulation, error: refused } = useSimulation(input)
  const problem = hasFailed
    ? undefined
    : [cost.error, refused].find(candidate => candidate && !TOLD_ELSEWHERE.includes(candidate.code))
  const changes = simulation?.changes ?? []
  const mint = input && 'token' in input ? input.token : undefined
  const costs = mint === undefined ? 'you' : getCosts(changes, from, cost.fee)
  const withheld = mint === undefined ? undefined : getWithheld(changes, mint)
  return (
    <>
      {changes.length > 0 && (
        <section className="keybay-stack keybay-tight keybay-rule" aria-labelledby={id}>
          <h2 id={id} className="keybay-small">
            {text('changes')}
          </h2>
          <ul className="keybay-rows">
            {changes.map(change => (
              <Change key={`${change.owner} ${change.token?.account}`} change={change} from={from} costs={costs} />
            ))}
          </ul>
        </section>
      )}
      {mint !== undefined && withheld && (
        <Notice kind="warn" title={text('withheld', { token: symbol(mint) })}>
          <span>{rich('withheldText', { amount: amountText(withheld.amount, withheld.token) })}</span>
        </Notice>
      )}
      {problem && (
        <Notice kind="warn" title={text(problem.code === 'memo_required' ? 'memo' : 'cannot')}>
          {problem.code === 'memo_required' ? text('memoText') : explain(problem)}
        </Notice>
      )}
      {!isSending && <Fee cost={cost} isSponsored={isSponsored} />}
    </>
  )
}
