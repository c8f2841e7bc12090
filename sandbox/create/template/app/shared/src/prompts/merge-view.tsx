// if account
import type { PromptViewProps } from '@keybay/react/ui'

export function MergeView({ prompt, titleId }: PromptViewProps<'merge-accounts'>) {
  return (
    <>
      <h2 id={titleId}>You have another account</h2>
      <p>What you just confirmed signs in to another account of yours. You can merge that account into this one.</p>
      <p>You can’t undo this.</p>
      <button type="button" onClick={() => prompt.answer('merge')}>
        Merge the two accounts
      </button>
      <button type="button" onClick={() => prompt.cancel()}>
        Keep them apart
      </button>
    </>
  )
}
