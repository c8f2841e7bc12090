import type { Prompt, SessionState } from '@keybay/kernel'
import { useKeybay, usePrompts, useSession } from '@keybay/react'
import { Modal } from '@keybay/react/ui'
import { type ReactElement, useEffect, useId, useState } from 'react'
import { toast, useLostFocus } from '../design/index.js'
import { CodePrompt } from '../prompts/code-prompt.js'
import { MfaPrompt } from '../prompts/mfa-prompt.js'
import { ChoicePrompt, ContactPrompt, MergePrompt, QuestionPrompt, WindowPrompt } from '../prompts/prompts.js'
import { AttemptView, type Choice, useAttempt, VerifyView } from './attempt-view.js'
import { MethodsView } from './methods-view.js'
import type { SignInOffer } from './sign-in-provider.js'

/** Returns the view for a prompt; undefined leaves prompts of unknown type to other UI. */
function toView(prompt: Prompt | undefined, titleId: string): ReactElement | undefined {
  const key = prompt?.promptId
  switch (prompt?.type) {
    case 'one-time-code':
      return <CodePrompt key={key} prompt={prompt} titleId={titleId} />
    case 'mfa':
      return <MfaPrompt key={key} prompt={prompt} titleId={titleId} />
    case 'merge-accounts':
      return <MergePrompt key={key} prompt={prompt} titleId={titleId} />
    case 'contact':
      return <ContactPrompt key={key} prompt={prompt} titleId={titleId} />
    case 'social-window':
      return <WindowPrompt key={key} prompt={prompt} titleId={titleId} />
    case 'social-question':
      return <QuestionPrompt key={key} prompt={prompt} titleId={titleId} />
    case 'choice':
      return <ChoicePrompt key={key} prompt={prompt} titleId={titleId} />
    default:
      return undefined
  }
}

/** Returns whether to prompt for a pending verification, until it is done or postponed. */
function useVerification({ status, userId }: SessionState) {
  const [putOff, setPutOff] = useState<string>()
  const isDue = status === 'verification'
  return { isOpen: isDue && putOff !== userId, putOff: () => isDue && setPutOff(userId) }
}

interface SignInDialogProps {
  /** Undefined when the user did not open sign-in; a prompt may still open the dialog. */
  readonly offer: SignInOffer | undefined
  onClose(): void
}
/**
 * Dialog for everything about identity: the sign-in methods, the chosen method, and every prompt, regardless of
 * which component opened it.
 */
export function SignInDialog({ offer, onClose }: SignInDialogProps) {
  const { session } = useKeybay()
  const state = useSession()
  const verification = useVerification(state)
  const attempt = useAttempt()
  const id = useId()
  const question = usePrompts().find(prompt => toView(prompt, id))
  const questionId = question?.promptId
  // After a prompt, hide the way back to the form: the user's response is being sent.
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (questionId !== undefined) setAsked(true)
  }, [questionId])

  // Another tab, where the wallet returned, signed the user in: nothing is left to show here.
  const isOver = state.status === 'authenticated' && attempt.status === 'error' && attempt.error?.code === 'aborted'
  const { reset } = attempt
  useEffect(() => {
    if (!isOver) return
    reset()
    onClose()
  })

  const isOpen = question !== undefined || offer !== undefined || verification.isOpen
  // The button that opened the dialog is replaced by then.
  useLostFocus(isOpen)
  const close = () => {
    question?.cancel()
    attempt.reset()
    verification.putOff()
    onClose()
  }
  const start = (choice: Choice) => {
    const isLinking = session.current.status === 'authenticated'
    setAsked(false)
    attempt.start(choice, () => {
      onClose()
      toast(isLinking ? 'Added to your account' : 'You are signed in', 'good', 'session')
    })
  }
  const { choice } = attempt
  const isForm = choice?.connector.id === 'email' || choice?.connector.id === 'phone'
  const isWaiting = attempt.status === 'pending' && (asked || !isForm)
  const hasFailed = attempt.status === 'error' && !isForm
  const view =
    toView(question, id) ??
    (choice && (isWaiting || hasFailed) ? (
      <AttemptView titleId={id} choice={choice} error={attempt.error} retry={start} back={attempt.reset} />
    ) : state.status === 'verification' ? (
      <VerifyView titleId={id} attempt={attempt} start={start} />
    ) : (
      <MethodsView titleId={id} offer={offer ?? 'all'} attempt={attempt} start={start} onDone={onClose} />
    ))
  return (
    <Modal open={isOpen} onClose={close} labelledBy={id}>
      {view}
    </Modal>
  )
}
