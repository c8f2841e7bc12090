import type { KeybayError } from '@keybay/kernel'
import type { ReactElement } from 'react'
import { Notice } from '../design/feedback.js'
import { explain } from '../wording.js'

/** What a change of the account ended with, below what was to be changed. */
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
