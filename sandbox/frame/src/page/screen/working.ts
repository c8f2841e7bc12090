/** Shows that an operation runs, and which of its steps. */
import type { Progress } from '@keybay/waas/protocol'
import { type Child, element, paragraph } from './dom.js'

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

/** @param at undefined: the operation has no steps */
export function workingRows(text: string, at: Step | undefined): readonly Child[] {
  if (!at) return [paragraph(text), element('progress', { 'aria-label': text })]
  const { step, number, of } = at
  const value = String(number - 0.5)
  return [
    paragraph(text),
    paragraph(`Step ${number} of ${of}: ${STEPS.get(step) ?? step}`, 'note'),
    element('progress', { 'aria-label': text, max: String(of), value }),
  ]
}
