import { type ProgressStep, StepList, sendMessages, useMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { TransactionStep } from '../../steps.js'
import { formatDuration, solText } from '../format.js'
import { useSlots } from '../slots.js'
import type { TimedStep } from './use-transfer.js'

const STAGES = [
  { name: 'built', doing: 'building' },
  { name: 'fee', doing: 'feeing' },
  { name: 'signed', doing: 'signing' },
  { name: 'sent', doing: 'sendingStep' },
  { name: 'confirmed', doing: 'confirming' },
] as const

function useDetail() {
  const { rich } = useMessages(sendMessages)
  return (step: TransactionStep | undefined) => {
    if (step?.step === 'fee') return <bdi>{solText(step.fee)}</bdi>
    return step?.step === 'confirmed' ? rich('slot', { slot: step.slot }) : undefined
  }
}

export function Progress({ steps }: { readonly steps: readonly TimedStep[] }): ReactElement {
  const { text } = useMessages(sendMessages)
  const getDetail = useDetail()
  const { transaction } = useSlots()
  const ended = steps.find(({ step }) => step.step === 'failed')
  const reached = STAGES.filter(({ name }) => steps.some(({ step }) => step.step === name)).length
  const signature = steps.flatMap(({ step }) => ('signature' in step && step.signature ? [step.signature] : [])).at(-1)
  const list = STAGES.map(({ name, doing }, index): ProgressStep => {
    const timed = steps.find(({ step }) => step.step === name)
    const now = ended ? 'failed' : 'doing'
    const state = timed ? 'done' : index === reached ? now : 'waiting'
    const detail = getDetail(timed?.step)
    const label = (
      <>
        {text(state === 'doing' ? doing : name)}
        {detail !== undefined && <span className="keybay-soft"> · {detail}</span>}
      </>
    )
    const side = timed && <bdi className="keybay-soft keybay-small keybay-number">{formatDuration(timed.after)}</bdi>
    return { name, state, text: label, side }
  })
  const status = text(ended ? 'transferFailed' : (STAGES[reached]?.doing ?? 'confirmed'))
  return (
    <div className="keybay-stack keybay-tight">
      <StepList label={text('progress')} steps={list} status={status} />
      {signature !== undefined && transaction?.({ signature, text: text('showTransaction') })}
    </div>
  )
}
