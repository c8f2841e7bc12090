/** Prompts on the way to the provider: its question, and the open window. */

import type { SocialTicket } from '@keybay/account'
import type { ConnectContext, Kernel } from '@keybay/kernel'
import { recordInvalid } from '@keybay/kernel/spec'
import type { SocialInput } from './api.js'
import type { Fail } from './fail.js'
import type { SocialProviderDefinition, SocialQuestion } from './provider.js'

/** Undefined: leave the page. Null: the browser blocked the window. */
export type Visit = Window | null | undefined
interface Preparation {
  /** The user's answer, by the name of its field at the API. */
  readonly given: SocialInput
  readonly visit: Visit
}

function isWindow(value: unknown): value is Window {
  return typeof value === 'object' && value !== null && 'closed' in value
}

function toVisit(value: unknown): Visit {
  return value === null || isWindow(value) ? value : undefined
}

function parseAnswer({ field, pattern }: SocialQuestion, text: unknown): SocialInput | undefined {
  const answer = typeof text === 'string' ? text.trim().toLowerCase() : ''
  return pattern.test(answer) ? { [field]: answer } : undefined
}
/**
 * Asks the provider's question, if it has one.
 * @param opened what the click opened, or a function that opens the window in the click that answers
 * @throws KeybayError `record_invalid`, `user_rejected`
 */
export async function askFirst(
  { id, name, asks }: SocialProviderDefinition,
  input: SocialInput | undefined,
  opened: unknown,
  ctx: ConnectContext,
  fail: Fail,
): Promise<Preparation> {
  if (!asks) return { given: {}, visit: toVisit(opened) }
  if (typeof opened !== 'function') {
    const answer = parseAnswer(asks, input?.[asks.field])
    if (!answer) throw fail(recordInvalid)
    return { given: answer, visit: toVisit(opened) }
  }
  const { label, example } = asks
  /** Only tickets made here count, so a host cannot forge one. */
  const tickets = new WeakMap<SocialTicket, Preparation>()
  const ticket = await ctx.prompt({
    type: 'social-question',
    provider: id,
    name,
    label,
    example,
    submit(text) {
      const answer = parseAnswer(asks, text)
      if (!answer) return undefined
      const created: SocialTicket = Object.freeze({})
      const visit = toVisit(opened())
      ctx.signal.addEventListener('abort', () => visit?.close())
      tickets.set(created, { given: answer, visit })
      return created
    },
  })
  const preparation = tickets.get(ticket)
  if (!preparation) throw fail(recordInvalid)
  return preparation
}
/** Shows a prompt for the open window until the work is done; the attempt's time-out pauses until then. */
export async function whileOpen<T>(
  { events }: Pick<Kernel, 'events'>,
  { id, name }: SocialProviderDefinition,
  ctx: ConnectContext,
  popup: Window,
  work: () => Promise<T>,
): Promise<T> {
  let close = () => {}
  const focus = () => popup.focus()
  const off = events.on('prompt:opened', ({ prompt }) => {
    if (prompt.type === 'social-window' && prompt.focus === focus) close = () => prompt.answer('done')
  })
  const shown = ctx.prompt({ type: 'social-window', provider: id, name, focus })
  off()
  const cancelled = shown.then(() => new Promise<never>(() => {}))
  try {
    return await Promise.race([work(), cancelled])
  } finally {
    close()
    await shown.catch(() => {}) // the time-out runs again
  }
}
