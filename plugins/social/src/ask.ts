/** What the user is asked, and shown, on the way to the provider. */
import type { ConnectContext, Kernel } from '@keybay/kernel'
import { recordInvalid } from '@keybay/kernel/spec'
import type { SocialInput, SocialTicket } from './api.js'
import type { Fail } from './faults.js'
import type { SocialProvider, SocialQuestion } from './provider.js'

/** Undefined: the page is left. Null: the browser opens no window. */
export type Visit = Window | null | undefined
interface Asked {
  /** For the API, by the name of its field. */
  readonly given: SocialInput
  readonly visit: Visit
}

function isWindow(value: unknown): value is Window {
  return typeof value === 'object' && value !== null && 'closed' in value
}

function visitOf(value: unknown): Visit {
  return value === null || isWindow(value) ? value : undefined
}

function answerOf({ field, pattern }: SocialQuestion, text: unknown): SocialInput | undefined {
  const answer = typeof text === 'string' ? text.trim().toLowerCase() : ''
  return pattern.test(answer) ? { [field]: answer } : undefined
}

/**
 * @param opened what the click opened; a function where the window is to be opened in the click that answers
 * @throws KeybayError `record_invalid`, `user_rejected`
 */
export async function askFirst(
  { id, name, asks }: SocialProvider,
  input: SocialInput | undefined,
  opened: unknown,
  ctx: ConnectContext,
  fail: Fail,
): Promise<Asked> {
  if (!asks) return { given: {}, visit: visitOf(opened) }
  if (typeof opened !== 'function') {
    const given = answerOf(asks, input?.[asks.field])
    if (!given) throw fail(recordInvalid)
    return { given, visit: visitOf(opened) }
  }
  const { label, example } = asks
  /** A host cannot make one up. */
  const tickets = new WeakMap<SocialTicket, Asked>()
  const ticket = await ctx.prompt({
    type: 'social-question',
    provider: id,
    name,
    label,
    example,
    submit(text) {
      const given = answerOf(asks, text)
      if (!given) return undefined
      const made: SocialTicket = Object.freeze({})
      const visit = visitOf(opened())
      ctx.signal.addEventListener('abort', () => visit?.close())
      tickets.set(made, { given, visit })
      return made
    },
  })
  const asked = tickets.get(ticket)
  if (!asked) throw fail(recordInvalid)
  return asked
}

/** Shows that the window is open until the work is done; meanwhile the attempt's time-out rests. */
export async function whileOpen<T>(
  { events }: Pick<Kernel, 'events'>,
  { id, name }: SocialProvider,
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
    await shown.catch(() => {}) // from here on the time-out runs again
  }
}
