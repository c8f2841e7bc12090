/** Hands the provider's response from the return page to the page that waits for it. */
import { withMark } from '../address.js'
import { type Answer, readAnswer } from '../answer.js'
import { openChannel, RECEIVED } from '../channel.js'
import { type FlowRecord, readRecord, saveRecord } from '../records.js'

export interface ReturnOptions {
  /** Page to open if no page is known to wait. Default `/`. */
  readonly home?: string
  /** Origin of the page that opens the windows. Default: the origin of the return page. */
  readonly openerOrigin?: string
  /** How long to wait for the waiting page's confirmation, in ms. Default 3000. */
  readonly patience?: number
}
/**
 * `posted`: the waiting page has the response, and closes this window. `left`: another page is loading. `unheard`: the waiting
 * page was closed or reloaded; the user is not signed in, and the flow is deleted.
 */
export type ReturnOutcome = 'posted' | 'left' | 'unheard'
const CONFIRMATION_TIMEOUT_MS = 3_000

interface Delivery {
  /** Undefined if the browser stores nothing; then no confirmation is possible. */
  readonly record: FlowRecord | undefined
  readonly opener: Window | null
  readonly openerOrigin: string
  readonly patience: number
}
/** @returns whether a page confirmed it */
function deliver(answer: Answer, { record, opener, openerOrigin, patience }: Delivery): Promise<boolean> {
  return new Promise(resolve => {
    const channel = record && openChannel(record.flowId)
    if (channel) {
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (data !== RECEIVED) return
        resolve(true)
        channel.close()
        // A page that the provider cut off cannot close this window. A late confirmation counts: the page was only slow.
        if (!opener) window.close()
      }
      setTimeout(() => resolve(false), patience)
    } else resolve(true)
    opener?.postMessage(answer, openerOrigin)
    channel?.postMessage(answer)
  })
}
/**
 * Finishes a sign-in. Call it once, on the page at your `redirectUrl`; serve that page without a `Cross-Origin-Opener-Policy`.
 * @example
 * import { finishSocialSignIn } from '@keybay/social/return'
 * const outcome = await finishSocialSignIn()
 * if (outcome === 'posted') document.body.textContent = 'You can close this window.'
 * if (outcome === 'unheard') document.body.textContent = 'You are not signed in. Go back to the app and try again.'
 */
export async function finishSocialSignIn({
  home = '/',
  openerOrigin = location.origin,
  patience = CONFIRMATION_TIMEOUT_MS,
}: ReturnOptions = {}): Promise<ReturnOutcome> {
  const url = new URL(location.href)
  // A code in the address bar would stay in the history.
  history.replaceState(history.state, '', url.pathname)
  const provider = url.pathname.split('/').findLast(part => part !== '') ?? ''
  const answer = readAnswer(url, provider)
  const recordId = answer.state ?? ''
  const record = await readRecord(recordId).catch(() => undefined)
  const opener: Window | null = window.opener
  if (record?.mode === 'popup' || (!record && opener)) {
    if (await deliver(answer, { record, opener, openerOrigin, patience })) return 'posted'
    await readRecord(recordId, { remove: true }).catch(() => {})
    return 'unheard'
  }
  if (record) await saveRecord(recordId, { ...record, answer })
  location.replace(withMark(record?.home ?? new URL(home, location.href).href, provider, record ? recordId : ''))
  return 'left'
}
