/** What the return page does: hands the answer to who waits for it, and to nobody else. */
import { markedAddress } from '../address.js'
import { readAnswer } from '../answer.js'
import { channelOf } from '../channel.js'
import { findRecord, saveRecord } from '../records.js'

export interface ReturnOptions {
  /** The page that goes on where nobody is known to wait. Default `/`. */
  readonly home?: string
  /** Of the page that opens the windows, where this one is on another origin. Default: this origin. */
  readonly openerOrigin?: string
}
/** `posted`: the page that waits has it, and closes this window. `left`: another page is being loaded. */
export type ReturnOutcome = 'posted' | 'left'

/**
 * Call it once, on the page at your `redirectUrl`. Serve that page without a `Cross-Origin-Opener-Policy` of its own.
 *
 * @example
 * import { finishSocialSignIn } from '@keybay/social/return'
 * if ((await finishSocialSignIn()) === 'posted') document.body.textContent = 'You can close this window.'
 */
export const finishSocialSignIn = async ({
  home = '/',
  openerOrigin = location.origin,
}: ReturnOptions = {}): Promise<ReturnOutcome> => {
  const url = new URL(location.href)
  // Out of the address at once: it is shown, kept in the history, and sent nowhere that way.
  history.replaceState(history.state, '', url.pathname)
  const provider = url.pathname.split('/').findLast(part => part !== '') ?? ''
  const answer = readAnswer(url, provider)
  const recordId = answer.state ?? ''
  const record = await findRecord(recordId).catch(() => undefined)
  const opener: Window | null = window.opener
  if (record?.mode === 'popup' || (!record && opener)) {
    opener?.postMessage(answer, openerOrigin)
    if (record) {
      const channel = new BroadcastChannel(channelOf(record.flowId))
      channel.postMessage(answer)
      channel.close()
    }
    // Whom the provider's page has cut off from us cannot close us.
    if (!opener) window.close()
    return 'posted'
  }
  if (record) await saveRecord(recordId, { ...record, answer })
  location.replace(markedAddress(record?.home ?? new URL(home, location.href).href, provider, record ? recordId : ''))
  return 'left'
}
