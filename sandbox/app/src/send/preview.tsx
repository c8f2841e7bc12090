import type { BalanceChange, SendInput } from '@keybay/solana'
import { formatSol } from '@keybay/solana'
import { useFee, useSimulation } from '@keybay/solana/react'
import { groupDecimal, Loading, Notice, Skeleton, shorten } from '../design/index.js'
import { getSymbol, tokenText } from '../tokens/holdings.js'
import { explain } from '../wording.js'

/** Errors shown elsewhere: insufficient funds at the amount, an unreachable node above the page. */
const TOLD_ELSEWHERE = ['insufficient_funds', 'rpc_unreachable']

function findText(amount: bigint, token: BalanceChange['token']): string {
  return token ? tokenText(amount, token) : `${groupDecimal(formatSol(amount))} SOL`
}

function Change({ change, from }: { readonly change: BalanceChange; readonly from: string }) {
  const { owner, before, after, token } = change
  const gains = after > before
  return (
    <li className="change-row">
      <span title={owner} className={owner === from ? undefined : 'mono'}>
        {owner === from ? 'You' : shorten(owner, 6)}
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

interface PreviewProps {
  readonly from: string
  /** Undefined while the form is incomplete. */
  readonly input: SendInput | undefined
  readonly isSponsored: boolean
}
/** Simulates the transfer and shows its balance changes and cost, before the wallet is prompted. */
export function Preview({ from, input, isSponsored }: PreviewProps) {
  const { fee, error, status } = useFee(isSponsored ? undefined : input)
  const { simulation, error: refused } = useSimulation(input)
  const problem = [error, refused].find(candidate => candidate && !TOLD_ELSEWHERE.includes(candidate.code))
  const changes = simulation?.changes ?? []
  const mint = input && 'token' in input ? input.token : undefined
  const withheld = mint === undefined ? undefined : getWithheld(changes, mint)
  return (
    <>
      {changes.length > 0 && (
        <section className="changes" aria-labelledby="changes">
          <h2 id="changes">What will change</h2>
          <ul>
            {changes.map(change => (
              <Change key={`${change.owner} ${change.token?.account}`} change={change} from={from} />
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
