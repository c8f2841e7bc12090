/** Button that copies a secret. Only visible frames load this. */
import { element } from './dom.js'

const COPIED =
  'Copied. Every program on this machine can read the clipboard: paste it where it belongs, then copy something else.'
const REFUSED = 'The browser does not let this window copy. Select the text instead.'

/** @param text called for each click. The note tells whether the text was copied. */
export function copyButton(label: string, text: () => string, note = element('p', { class: 'note', role: 'status' })) {
  const button = element('button', { type: 'button', class: 'quiet' }, label)
  const say = (outcome: string) => {
    note.textContent = outcome
  }
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => say(COPIED),
      () => say(REFUSED),
    )
  })
  return { button, note }
}
