import type { ReactElement, ReactNode } from 'react'
import { Glyph } from './glyph.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'

export interface ProgressStep {
  readonly name: string
  readonly state: 'done' | 'doing' | 'failed' | 'waiting'
  readonly text: ReactNode
  /** Beside the text. */
  readonly side?: ReactNode
}

export interface StepListProps {
  readonly label: string
  readonly steps: readonly ProgressStep[]
  /** Text for screen readers about the present step. */
  readonly status?: string
}
/**
 * Steps of a long operation.
 *
 * @example <StepList label="Creating your wallet" steps={[{ name: 'deal', state: 'doing', text: 'Creating the shares' }]} />
 */
export function StepList({ label, steps, status }: StepListProps): ReactElement {
  const { text: t } = useMessages(ui)
  return (
    <>
      <ol className="keybay-progress" aria-label={label}>
        {steps.map(({ name, state, text, side }) => (
          <li
            key={name}
            className={`keybay-progress-step keybay-progress-${state}`}
            {...(state === 'doing' && { 'aria-current': 'step' })}
          >
            <span className="keybay-progress-mark" aria-hidden="true">
              {state === 'done' && <Glyph name="check" size={16} />}
              {state === 'failed' && <Glyph name="close" size={16} />}
              {state === 'doing' && <span className="keybay-spinner" />}
            </span>
            <span>
              {text}
              {state === 'failed' && <span className="keybay-hidden"> {t('failed')}</span>}
            </span>
            {side}
          </li>
        ))}
      </ol>
      <p className="keybay-hidden" role="status">
        {status}
      </p>
    </>
  )
}
