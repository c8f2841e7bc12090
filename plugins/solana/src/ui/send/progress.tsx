import type { TransactionStep } from '@keybay/solana'
import { formatSol } from '@keybay/solana'
import { formatDuration, StepList } from '../design/index.js'
import { Link } from '../routing/link.js'
import type { TimedStep } from './use-transfer.js'

const stages = [
  { name: 'built', done: 'Built', doing: 'Building the transaction …' },
  { name: 'fee', done: 'Fee known', doing: 'Asking the chain for the fee …' },
  { name: 'signed', done: 'Signed', doing: 'Waiting for your wallet …' },
  { name: 'sent', done: 'Sent', doing: 'Sending …' },
  { name: 'confirmed', done: 'Confirmed', doing: 'Waiting for the confirmation …' },
] as const

function getDetail(step: TransactionStep | undefined): string | undefined {
  if (step?.step === 'fee') return `${formatSol(step.fee)} SOL`
  return step?.step === 'confirmed' ? `slot ${step.slot}` : undefined
}

export function Progress({ steps }: { readonly steps: readonly TimedStep[] }) {
  const ended = steps.find(({ step }) => step.step === 'failed')
  const reached = stages.filter(({ name }) => steps.some(({ step }) => step.step === name)).length
  const signature = steps.flatMap(({ step }) => ('signature' in step && step.signature ? [step.signature] : [])).at(-1)
  const list = stages.map(({ name, done, doing }, index) => {
    const timed = steps.find(({ step }) => step.step === name)
    const now = ended ? ('failed' as const) : ('doing' as const)
    const state = timed ? ('done' as const) : index === reached ? now : ('waiting' as const)
    const detail = getDetail(timed?.step)
    const text = (
      <>
        {state === 'doing' ? doing : done}
        {detail !== undefined && <span className="soft"> · {detail}</span>}
      </>
    )
    const side = timed && <span className="soft small number">{formatDuration(timed.after)}</span>
    return { name, state, text, side }
  })
  const status = ended ? 'The transfer failed' : (stages[reached]?.doing ?? 'Confirmed')
  return (
    <div className="stack-tight">
      <StepList label="Progress" steps={list} status={status} />
      {signature !== undefined && <Link to={`/tx/${signature}`}>Show the transaction in the explorer</Link>}
    </div>
  )
}
