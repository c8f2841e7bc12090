/** Shows that an operation runs, and which of its steps. */
import type { Clock } from '@keybay/kernel/spec'
import type { Progress } from '@keybay/waas/protocol'
import { element, paragraph } from './dom.js'
import { watchHeight } from './height.js'

export type Step = Pick<Progress, 'step' | 'number' | 'of'>

/** Steps that take time which the user notices. */
const STEPS = new Map([
  ['deal', 'creating the key shares'],
  ['backup', 'saving the shares'],
  ['confirm', 'confirming with the relays'],
  ['commit', 'switching to the new shares'],
  ['authorise', 'opening the place of the backup'],
  ['upload', 'uploading the backup'],
  ['checked', 'reading the backup again'],
])

export function isShownStep({ step }: Step): boolean {
  return STEPS.has(step)
}

/** Time that work lasts before the window fits it, in ms: the next question or the end often comes sooner. */
const FIT_AFTER_MS = 300

/** Shows work in the place of a question, with one status element for all its steps, which a screen reader follows. */
export function createWorkingPanel(place: HTMLElement, clock: Clock, onHeight: (height: number) => void) {
  let panel: HTMLElement | undefined
  const open = () => {
    const opened = element('div', { role: 'status' })
    place.replaceChildren(opened)
    clock.after(FIT_AFTER_MS, () => {
      if (opened.isConnected) watchHeight(opened, onHeight)
    })
    return opened
  }
  return {
    show(rows: readonly Element[]): void {
      if (panel?.parentNode !== place) panel = open()
      panel.replaceChildren(...rows)
    },
  }
}

/** @param at undefined: the operation has no steps */
export function workingRows(text: string, at: Step | undefined): readonly Element[] {
  if (!at) return [paragraph(text), element('progress', { 'aria-label': text })]
  const { step, number, of } = at
  const value = String(number - 0.5)
  return [
    paragraph(text),
    paragraph(`Step ${number} of ${of}: ${STEPS.get(step) ?? step}`, 'note'),
    element('progress', { 'aria-label': text, max: String(of), value }),
  ]
}
