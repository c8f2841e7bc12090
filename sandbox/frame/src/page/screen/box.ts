/** Builds the elements of a prompt: its parts, which may scroll, above the actions, which stay in sight. */
import { type Child, element } from './dom.js'
import type { GuardedButton } from './guard.js'
import type { Identity } from './identity.js'

interface BoxOptions {
  readonly title: string
  readonly hostOrigin: string
  readonly appName?: string | undefined
  readonly identity?: Identity | undefined
  readonly content: readonly Child[]
  readonly agree: GuardedButton
}

const NEW_PHRASE = 'Remember this phrase. Don’t trust a window in this browser without it.'

function hostLine({ hostOrigin, appName }: BoxOptions): HTMLElement {
  const origin = element('strong', {}, hostOrigin)
  return appName === undefined
    ? element('p', { class: 'host' }, 'Asked by ', origin)
    : element('p', { class: 'host' }, 'Asked by ', element('strong', {}, appName), ' at ', origin)
}

function identityLines({ account, phrase, isNew }: Identity): readonly Child[] {
  return [
    account === undefined ? undefined : element('p', { class: 'host' }, 'Account ', element('strong', {}, account)),
    phrase === undefined ? undefined : element('p', { class: 'host' }, 'Your phrase ', element('strong', {}, phrase)),
    isNew ? element('small', {}, NEW_PHRASE) : undefined,
  ]
}

export function createBox(options: BoxOptions) {
  const { title, content, agree, identity = {} } = options
  const heading = element('h1', { tabindex: '-1' }, title)
  const problem = element('p', { class: 'problem', role: 'alert' })
  const working = element('div', { role: 'status' })
  const cancel = element('button', { type: 'button', class: 'quiet' }, 'Cancel')
  const parts = element(
    'div',
    { class: 'parts', role: 'group', 'aria-label': 'Request' },
    heading,
    hostLine(options),
    ...identityLines(identity),
    ...content,
    ...agree.rows,
  )
  const buttons = element('div', { class: 'buttons' }, cancel, agree.button)
  const actions = element('div', { class: 'actions' }, agree.hint, buttons)
  // The actions stand below the parts, not over them: the browser reports a part that something covers as unseen.
  const foot = element('div', { class: 'foot' }, problem, working, actions)
  // Not a form: the frame is sandboxed without `allow-forms`, so a form's submit event never fires.
  return { box: element('section', { class: 'question' }, parts, foot), heading, problem, working, cancel }
}
