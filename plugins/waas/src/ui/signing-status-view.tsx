import { type Messages, type ProgressStep, StepList, signingMessages, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { WalletProgress } from '../react/index.js'

export interface SigningStatusViewProps {
  readonly state: 'pending' | 'success' | 'error'
  readonly progress: WalletProgress | undefined
  readonly asks: boolean
}

/** Steps of an operation, in order, keyed by the number of steps that the operation reports. */
const STEPS: Readonly<Record<number, readonly string[]>> = {
  2: ['deal', 'confirm'],
  3: ['deal', 'backup', 'confirm'],
  4: ['deal', 'backup', 'commit', 'done'],
}
const BACKUP_STEPS = ['authorise', 'upload', 'checked', 'backedUp']
/** Steps with a text. */
const NAMED = [
  'deal',
  'backup',
  'confirm',
  'commit',
  'done',
  'grant',
  'granted',
  'authorise',
  'upload',
  'checked',
  'backedUp',
] as const
const ENDS = { success: 'succeeded', error: 'failed' } as const

type Text = Messages<typeof signingMessages.texts>['text']

/** Returns the name of a step that the wallet reports; one that the texts do not know stays as it is. */
function getName(step: string, text: Text): string {
  const key = NAMED.find(name => name === step)
  return key ? text(key) : step
}

function getSteps(progress: WalletProgress, state: SigningStatusViewProps['state'], text: Text): ProgressStep[] {
  const known = BACKUP_STEPS.includes(progress.step) ? BACKUP_STEPS : (STEPS[progress.of] ?? [])
  const getState = (number: number) => {
    if (number < progress.number || state === 'success') return 'done'
    if (number > progress.number) return 'waiting'
    return state === 'error' ? 'failed' : 'doing'
  }
  return Array.from({ length: progress.of }, (_, index) => {
    const number = index + 1
    const name = number === progress.number ? progress.step : known[index]
    const label = name === undefined ? text('step', { number }) : getName(name, text)
    return { name: name ?? `${number}`, state: getState(number), text: label }
  })
}

export function SigningStatusView({ state, progress, asks }: SigningStatusViewProps): ReactElement {
  const { text } = useMessages(signingMessages)
  const root = useRoot()
  const steps = progress ? getSteps(progress, state, text) : []
  const status =
    state === 'pending' ? progress && text('running', { step: getName(progress.step, text) }) : text(ENDS[state])
  return (
    <div {...root}>
      {steps.length > 0 && <StepList label={text('steps')} steps={steps} {...(status && { status })} />}
      {state === 'pending' && (asks || steps.length === 0) && (
        <p className="keybay-line keybay-soft keybay-small" role="status">
          <span className="keybay-spinner" aria-hidden="true" />
          {text(asks ? 'consent' : 'working')}
        </p>
      )}
    </div>
  )
}
