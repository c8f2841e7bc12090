import type { TransactionStep } from '@keybay/solana'
import { formatSol } from '@keybay/solana'
import { formatDuration } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { Link } from '../routing/link.js'
import type { TimedStep } from './use-transfer.js'

type StepName = Exclude<TransactionStep['step'], 'failed'>

const stages: readonly { readonly name: StepName; readonly done: string; readonly doing: string }[] = [
  { name: 'built', done: 'Built', doing: 'Building the transaction …' },
  { name: 'fee', done: 'Fee known', doing: 'Asking the chain for the fee …' },
  { name: 'signed', done: 'Signed', doing: 'Waiting for your wallet …' },
  { name: 'sent', done: 'Sent', doing: 'Sending …' },
  { name: 'confirmed', done: 'Confirmed', doing: 'Waiting for the confirmation …' },
]

function getDetail(step: TransactionStep | undefined): string | undefined {
  switch (step?.step) {
    case 'fee':
      return `${formatSol(step.fee)} SOL`
    case 'confirmed':
      return `slot ${step.slot}`
    default:
      return undefined
  }
}

/** Progress of a transfer, step by step, with the time of each step. */
export function Progress({ steps }: { readonly steps: readonly TimedStep[] }) {
  const ended = steps.find(({ step }) => step.step === 'failed')
  const reached = stages.filter(({ name }) => steps.some(({ step }) => step.step === name)).length
  const signature = steps.flatMap(({ step }) => ('signature' in step && step.signature ? [step.signature] : [])).at(-1)
  return (
    <div className="stack-tight">
      <ol className="progress" aria-label="Progress">
        {stages.map(({ name, done, doing }, index) => {
          const timed = steps.find(({ step }) => step.step === name)
          const state = timed ? 'done' : index === reached ? (ended ? 'failed' : 'doing') : 'waiting'
          const detail = getDetail(timed?.step)
          return (
            <li
              key={name}
              className={`progress-step progress-${state}`}
              aria-current={state === 'doing' ? 'step' : undefined}
            >
              <span className="progress-mark" aria-hidden="true">
                {state === 'done' && <Glyph name="check" size={16} />}
                {state === 'failed' && <Glyph name="close" size={16} />}
                {state === 'doing' && <span className="spinner" />}
              </span>
              <span>
                {state === 'doing' ? doing : done}
                {state === 'failed' && <span className="visually-hidden"> failed</span>}
                {detail !== undefined && <span className="soft"> · {detail}</span>}
              </span>
              {timed && <span className="soft small number">{formatDuration(timed.after)}</span>}
            </li>
          )
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {ended ? 'The transfer failed' : reached === stages.length ? 'Confirmed' : stages[reached]?.doing}
      </p>
      {signature !== undefined && <Link to={`/tx/${signature}`}>Show the transaction in the explorer</Link>}
    </div>
  )
}
