/** Scrolls a question of the wallet's window, as a user does who reads it. */

/**
 * Scrolls by half of what the window shows, and from the end to the beginning. Runs in the page: it uses nothing of this
 * file.
 * @returns true at the end, or where nothing scrolls
 */
export function scrollQuestion({ ownerDocument }: Node): boolean {
  const parts = ownerDocument?.querySelector('.parts')
  if (!parts) return true
  const isAtEnd = parts.scrollTop + parts.clientHeight >= parts.scrollHeight - 1
  parts.scrollTo(0, isAtEnd ? 0 : parts.scrollTop + parts.clientHeight / 2)
  return isAtEnd
}
