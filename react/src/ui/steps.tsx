import type { ReactNode } from 'react'
import { Glyph } from './icons.js'

export interface Step {
  readonly name: string
  readonly state: 'done' | 'doing' | 'failed' | 'waiting'
  readonly text: ReactNode
  /** Beside the text. */
  readonly side?: ReactNode
}

/** Steps of a long operation. @param status what a screen reader says now */
export function StepList({ label, steps, status }: { label: string; steps: readonly Step[]; status?: string }) {
  return (
    <>
      <ol className="progress" aria-label={label}>
        {steps.map(({ name, state, text, side }) => (
          <li
            key={name}
            className={`progress-step progress-${state}`}
            {...(state === 'doing' && { 'aria-current': 'step' })}
          >
            <span className="progress-mark" aria-hidden="true">
              {state === 'done' && <Glyph name="check" size={16} />}
              {state === 'failed' && <Glyph name="close" size={16} />}
              {state === 'doing' && <span className="spinner" />}
            </span>
            <span>
              {text}
              {state === 'failed' && <span className="visually-hidden"> failed</span>}
            </span>
            {side}
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </>
  )
}
