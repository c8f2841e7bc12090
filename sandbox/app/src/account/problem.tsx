import type { KeybayError } from '@keybay/kernel'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { explain } from '../wording.js'

/** Shows why an account change failed, below the control that started it. */
export function Problem({
  title,
  error,
}: {
  readonly title: string
  readonly error: KeybayError | undefined
}): ReactElement | null {
  return error ? (
    <Notice kind="bad" title={title}>
      {explain(error)}
    </Notice>
  ) : null
}
