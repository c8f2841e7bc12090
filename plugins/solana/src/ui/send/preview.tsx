import type { BalanceChange, SendInput } from '@keybay/solana'
import { formatSol } from '@keybay/solana'
import { type UseFee, useSimulation } from '@keybay/solana/react'
import { groupDecimal, Loading, Notice, Skeleton, shorten } from '../design/index.js'
import { getSymbol, tokenText } from '../tokens/holdings.js'
import { explain } from '../wording.js'

/** Errors shown elsewhere: insufficient funds at the amount, an unreachable node above the page. */
const TOLD_ELSEWHERE = ['insufficient_funds', 'rpc_unreachable']

function findText(amount: bigint, token: BalanceChange['token']): string {
  return token ? tokenText(amount, token) : `${groupDecimal(formatSol(amount))} SOL`
}

interface ChangeProps {
  readonly change: BalanceChange
  readonly from: string
  /** Says what the user's SOL pays for, if a token is sent. */
  readonly costs: string
}
function Change({ change, from, costs }: ChangeProps) {
  const { owner, before, after, token } = change
  const gains = after > before
  return (
    <li className="change-row">
      <span title={owner} className={owner === from ? undefined : 'mono'}>
        {owner === from ? `You${token ? '' : costs}` : shorten(owner, 6)}
      </span>
      <span className={gains ? 'number change-up' : 'number'}>
        {gains ? '+' : '−'}
        {findText(gains ? after - before : before - after, token)}
      </span>
    </li>
  )
}

/** Returns the amount that neither the sender nor the receiver has afterwards. */
function getWithheld(changes: readonly BalanceChange[], mint: string) {
  const ofToken = changes.filter(({ token }) => token?.mint === mint)
  const lost = ofToken.reduce((sum, { before, after }) => sum + before - after, 0n)
  const [first] = ofToken
  return lost > 0n && first?.token ? tokenText(lost, first.token) : undefined
}

/** Says what the SOL of a token transfer pays for: the network fee, and rent if it takes more. */
function getCosts(changes: readonly BalanceChange[], from: string, fee: bigint | undefined): string {
  if (fee === undefined) return ''
  const own = changes.find(({ owner, token }) => owner === from && !token)
  const rent = own ? own.before - own.after - fee : 0n
  return rent > 0n ? ', for the fee and a new token account' : ', for the fee'
}

interface PreviewProps {
  readonly from: string
  /** Undefined while the form is incomplete. */
  readonly input: SendInput | undefined
  readonly cost: UseFee
  readonly isSponsored: boolean
  /** The transfer has failed, and its error is shown below. */
  readonly hasFailed: boolean
}
/** Simulates the transfer and shows its balance changes and cost, before the wallet is prompted. */
export function Preview({ from, input, cost, isSponsored, hasFailed }: PreviewProps) {
  const { fee, error, status } = cost
  const { simulation, error: refused } = useSimulation(input)
  const problem = hasFailed
    ? undefined
    : [error, refused].find(candidate => candidate && !TOLD_ELSEWHERE.includes(candidate.code))
  const changes = simulation?.changes ?? []
  const mint = input && 'token' in input ? input.token : undefined
  const costs = mint === undefined ? '' : getCosts(changes, from, fee)
  const withheld = mint === undefined ? undefined : getWithheld(changes, mint)
  return (
    <>
      {changes.length > 0 && (
        <section className="changes" aria-labelledby="changes">
          <h2 id="changes">What will change</h2>
          <ul>
            {changes.map(change => (
              <Change key={`${change.owner} ${change.token?.account}`} change={change} from={from} costs={costs} />
            ))}
          </ul>
        </section>
      )}
      {mint !== undefined && withheld !== undefined && (
        <Notice kind="warn" title={`${getSymbol(mint)} keeps a part of each transfer.`}>
          It takes {withheld} of this one; the receiver gets the rest.
        </Notice>
      )}
      {problem?.code === 'memo_required' ? (
        <Notice kind="warn" title="The receiver asks for a note.">
          Write one above: without it the transfer would fail.
        </Notice>
      ) : (
        problem && (
          <Notice kind="warn" title="This cannot be sent.">
            {explain(problem)}
          </Notice>
        )
      )}
      <p className="fee-row">
        <span className="soft">Network fee</span>
        <span className="number" aria-live="polite">
          {isSponsored ? (
            'paid for you'
          ) : fee !== undefined ? (
            `${formatSol(fee)} SOL`
          ) : status === 'idle' ? (
            <span className="soft">known once both are filled in</span>
          ) : status === 'error' ? (
            <span className="soft">not known now</span>
          ) : (
            <>
              <Skeleton width={10} />
              <Loading what="the fee" />
            </>
          )}
        </span>
      </p>
    </>
  )
}
