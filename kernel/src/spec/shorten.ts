const KEPT = 6

/**
 * Shortens an address, or another long ID, to its first and last characters.
 *
 * @example shorten('7Gh2KqPd4nXwZ1cTfE8sLmUoYbRvAeJiHtGkWpF3x9Qp') // '7Gh2Kq…F3x9Qp'
 */
export function shorten(text: string): string {
  return text.length > KEPT * 2 + 1 ? `${text.slice(0, KEPT)}…${text.slice(-KEPT)}` : text
}
