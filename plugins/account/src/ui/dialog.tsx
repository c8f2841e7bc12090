import type { SessionState } from '@keybay/kernel'
import { useKeybay, usePrompts, useSession } from '@keybay/react'
import { Modal, signInMessages, toast, useIsSettled, useLostFocus, useMessages } from '@keybay/react/ui'
import { type ReactElement, useEffect, useId, useState } from 'react'
import { type Choice, useAttempt } from './attempt.js'
import { AttemptView, VerifyView } from './attempt-view.js'
import { useRecentSignIns } from './last-used.js'
import { MethodsView } from './methods-view.js'
import type { SignInDialogProps } from './sign-in-dialog.js'
import { getView, isShown, renderPrompt } from './views.js'

/** Returns whether to prompt for a pending verification, until it is done or postponed. */
function useVerification({ status, userId }: SessionState) {
  const [putOff, setPutOff] = useState<string>()
  const isDue = status === 'verification'
  return { isOpen: isDue && putOff !== userId, putOff: () => isDue && setPutOff(userId) }
}

/** The content of `SignInDialog`, whose code loads when it is first needed. */
export function Dialog({ offer, onClose, hostToken }: SignInDialogProps): ReactElement {
  const { text } = useMessages(signInMessages)
  const { session } = useKeybay()
  const state = useSession()
  const verification = useVerification(state)
  const attempt = useAttempt()
  const { add: remember } = useRecentSignIns()
  const id = useId()
  const prompt = usePrompts().find(isShown)
  // Until its code is there, the previous view stays.
  const question = useIsSettled(getView(prompt)) ? prompt : undefined
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
      if (!isLinking) remember(choice.connector.id)
      toast(text(isLinking ? 'added' : 'signedIn'), 'good', 'session')
    })
  }
  const { choice } = attempt
  const isForm = choice?.connector.id === 'email' || choice?.connector.id === 'phone'
  const isWaiting = attempt.status === 'pending' && (asked || !isForm)
  const hasFailed = attempt.status === 'error' && !isForm
  const view =
    (question && renderPrompt(question, id)) ??
    (choice && (isWaiting || hasFailed) ? (
      <AttemptView titleId={id} choice={choice} error={attempt.error} retry={start} back={attempt.reset} />
    ) : state.status === 'verification' ? (
      <VerifyView titleId={id} attempt={attempt} start={start} />
    ) : (
      <MethodsView
        titleId={id}
        offer={offer ?? 'all'}
        attempt={attempt}
        hostToken={hostToken}
        start={start}
        onDone={onClose}
      />
    ))
  return (
    <Modal open={isOpen} onClose={close} labelledBy={id}>
      {view}
    </Modal>
  )
}
