/** Screen of a frame that does not start. */
import { toKeybayError } from '@keybay/kernel/spec'

export function showRefusal(place: HTMLElement, error: unknown): void {
  const text = document.createElement('p')
  text.setAttribute('role', 'alert')
  text.textContent = toKeybayError(error).message
  place.replaceChildren(text)
}
