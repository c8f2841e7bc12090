/** What the return page does: hands the answer to who waits for it, and to nobody else. */
import { markedAddress } from '../address.js'
import { type Answer, readAnswer } from '../answer.js'
import { channelOf, HEARD } from '../channel.js'
import { type FlowRecord, findRecord, saveRecord, takeRecord } from '../records.js'

export interface ReturnOptions {
  /** The page that goes on where nobody is known to wait. Default `/`. */
  readonly home?: string
  /** Of the page that opens the windows, where this one is on another origin. Default: this origin. */
  readonly openerOrigin?: string
  /** How long the page that waits may take to say that it has the answer, ms. Default 3000. */
  readonly patience?: number
}
/**
 * `posted`: the page that waits has it, and closes this window. `left`: another page is being loaded. `unheard`: the page that
 * asked was closed or loaded anew; nobody is signed in, and nothing is left of it.
 */
export type ReturnOutcome = 'posted' | 'left' | 'unheard'
const PATIENCE_MS = 3_000

interface Telling {
  /** Undefined: the browser keeps nothing, so there is no way to be told. */
  readonly record: FlowRecord | undefined
  readonly opener: Window | null
  readonly openerOrigin: string
  readonly patience: number
}
/** @returns whether somebody heard it */
function tell(answer: Answer, { record, opener, openerOrigin, patience }: Telling): Promise<boolean> {
  return new Promise(resolve => {
    const channel = record && new BroadcastChannel(channelOf(record.flowId))
    if (channel) {
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (data !== HEARD) return
        resolve(true)
        channel.close()
        // Whom the provider's page has cut off from us cannot close us. Late as well: then it was only slow.
        if (!opener) window.close()
      }
      setTimeout(() => resolve(false), patience)
    } else resolve(true)
    opener?.postMessage(answer, openerOrigin)
    channel?.postMessage(answer)
  })
}

/**
 * Call it once, on the page at your `redirectUrl`. Serve that page without a `Cross-Origin-Opener-Policy` of its own.
 *
 * @example
 * import { finishSocialSignIn } from '@keybay/social/return'
 * const outcome = await finishSocialSignIn()
 * if (outcome === 'posted') document.body.textContent = 'You can close this window.'
 * if (outcome === 'unheard') document.body.textContent = 'You are not signed in: the page that asked is gone. Please try again.'
 */
export async function finishSocialSignIn({
  home = '/',
  openerOrigin = location.origin,
  patience = PATIENCE_MS,
}: ReturnOptions = {}): Promise<ReturnOutcome> {
  const url = new URL(location.href)
  // Out of the address at once: it is shown, kept in the history, and sent nowhere that way.
  history.replaceState(history.state, '', url.pathname)
  const provider = url.pathname.split('/').findLast(part => part !== '') ?? ''
  const answer = readAnswer(url, provider)
  const recordId = answer.state ?? ''
  const record = await findRecord(recordId).catch(() => undefined)
  const opener: Window | null = window.opener
  if (record?.mode === 'popup' || (!record && opener)) {
    if (await tell(answer, { record, opener, openerOrigin, patience })) return 'posted'
    await takeRecord(recordId).catch(() => {})
    return 'unheard'
  }
  if (record) await saveRecord(recordId, { ...record, answer })
  location.replace(markedAddress(record?.home ?? new URL(home, location.href).href, provider, record ? recordId : ''))
  return 'left'
}
