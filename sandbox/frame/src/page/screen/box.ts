/** Builds the elements of a prompt: its parts, which may scroll, above the actions, which stay in sight. */
import { type Child, element } from './dom.js'
import type { GuardedButton } from './guard.js'

interface BoxOptions {
  readonly title: string
  readonly hostOrigin: string
  readonly content: readonly Child[]
  readonly agree: GuardedButton
}

export function createBox({ title, hostOrigin, content, agree }: BoxOptions) {
  const heading = element('h1', { tabindex: '-1' }, title)
  const problem = element('p', { class: 'problem', role: 'alert' })
  const working = element('div', { role: 'status' })
  const cancel = element('button', { type: 'button', class: 'quiet' }, 'Cancel')
  const parts = element(
    'div',
    { class: 'parts', role: 'group', 'aria-label': 'Request' },
    heading,
    element('p', { class: 'host' }, 'Asked by ', element('strong', {}, hostOrigin)),
    ...content,
    ...agree.rows,
  )
  const buttons = element('div', { class: 'actions' }, agree.hint, cancel, agree.button)
  // The actions stand below the parts, not over them: the browser reports a part that something covers as unseen.
  const foot = element('div', { class: 'foot' }, problem, working, buttons)
  // Not a form: the frame is sandboxed without `allow-forms`, so a form's submit event never fires.
  return { box: element('section', { class: 'question' }, parts, foot), heading, problem, working, cancel }
}
