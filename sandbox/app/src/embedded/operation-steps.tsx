import type { WalletProgress } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { Glyph } from '../design/icons.js'

const NAMES: Readonly<Record<string, string>> = {
  deal: 'Dividing the key with the service',
  backup: 'Sealing and checking the backup',
  confirm: 'Confirming that all parts agree',
  commit: 'Changing to the new parts',
  done: 'Old parts erased',
  grant: 'Waiting for you in the other window',
  granted: 'Access given',
  authorise: 'Asking whether this device may',
  upload: 'Sealing and uploading',
  checked: 'Read back, and it opens',
  backedUp: 'Older copies erased',
}
/** Steps of an operation, in order, keyed by the number of steps that the operation reports. */
const STEPS: Readonly<Record<number, readonly string[]>> = {
  2: ['deal', 'confirm'],
  3: ['deal', 'backup', 'confirm'],
  4: ['deal', 'backup', 'commit', 'done'],
}
const BACKUP_STEPS = ['authorise', 'upload', 'checked', 'backedUp']

function getName(step: string): string {
  return NAMES[step] ?? step
}

/** Progress of a long wallet operation; renders nothing before the first step. */
export function OperationSteps({
  progress,
  state,
}: {
  readonly progress: WalletProgress | undefined
  readonly state: 'idle' | 'pending' | 'success' | 'error'
}): ReactElement | null {
  if (!progress || state === 'idle') return null
  const known = BACKUP_STEPS.includes(progress.step) ? BACKUP_STEPS : (STEPS[progress.of] ?? [])
  const steps = Array.from({ length: progress.of }, (_, index) =>
    index + 1 === progress.number ? progress.step : (known[index] ?? `Step ${index + 1}`),
  )
  const getState = (number: number) => {
    if (number < progress.number || state === 'success') return 'done'
    if (number > progress.number) return 'waiting'
    return state === 'error' ? 'failed' : 'doing'
  }
  return (
    <>
      <ol className="progress" aria-label="Steps">
        {steps.map((step, index) => {
          const now = getState(index + 1)
          return (
            <li
              key={step}
              className={`progress-step progress-${now}`}
              aria-current={now === 'doing' ? 'step' : undefined}
            >
              <span className="progress-mark" aria-hidden="true">
                {now === 'done' && <Glyph name="check" size={16} />}
                {now === 'failed' && <Glyph name="close" size={16} />}
                {now === 'doing' && <span className="spinner" />}
              </span>
              <span>
                {getName(step)}
                {now === 'failed' && <span className="visually-hidden"> failed</span>}
              </span>
            </li>
          )
        })}
      </ol>
      <p className="visually-hidden" role="status">
        {state === 'success' ? 'Done' : state === 'error' ? 'It failed' : `${getName(progress.step)} …`}
      </p>
    </>
  )
}
