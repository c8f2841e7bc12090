/** Consent screen of an account that needs consent for each signature. */
import type { Action } from './action.js'
import { element } from './dom.js'
import { type About, type Agreed, actionCard, walletLine } from './questions.js'
import type { Screen } from './screen.js'

export interface Content {
  readonly title: string
  /** Sentence that explains how the content is signed. */
  readonly how: string
  readonly actions: readonly Action[]
}

export function agreeToContent(
  screen: Screen,
  { title, how, actions }: Content,
  { address, factor, signal }: About,
): Agreed {
  return screen.ask({
    title,
    content: [
      walletLine(address),
      ...actions.map(actionCard),
      actions.some(({ unclear }) => unclear)
        ? element('p', { class: 'problem' }, 'Part of it can’t be read here. Sign only if you trust the app.')
        : undefined,
      element('p', { class: 'note' }, how),
      ...(factor?.rows ?? []),
    ],
    action: 'Sign',
    guard: { address },
    signal,
    read: async () => factor?.read(),
  })
}
