/**
 * Requests access to a user's drive for one operation. A frame may not open windows, so the page opens the provider's.
 * That window ends at the return page on the frame's own origin, which posts only to frames of this origin. The token
 * stays only in this memory, until the operation ends.
 */
import { aborted, KeybayError } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { returnPath } from '../../configuration/paths.js'
import { frameError } from '../errors/errors.js'

/** Message of the return page. */
export interface GrantAnswer {
  readonly type: 'keybay:granted'
  readonly state: string
  readonly token?: string | undefined
}
const answerSchema: v.GenericSchema<GrantAnswer> = v.strictObject({
  type: v.literal('keybay:granted'),
  state: v.pipe(v.string(), v.maxLength(64)),
  token: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(8192))),
})

export function createGrants(environmentId: string, self: Window) {
  const waiting = new Map<string, (answer: GrantAnswer) => void>()
  const channel = new BroadcastChannel(`keybay-waas:${environmentId}:grants`)
  const take = (answer: GrantAnswer): boolean => {
    const settle = waiting.get(answer.state)
    settle?.(answer)
    return settle !== undefined
  }
  const hear = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin !== self.location.origin || !v.is(answerSchema, data)) return
    // The return page reaches only direct child frames of its opener, which forward the message to nested frames.
    if (!take(data)) channel.postMessage(data)
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (v.is(answerSchema, data)) take(data)
  }
  self.addEventListener('message', hear)
  return {
    /** URL that the provider redirects the user to. */
    returnUrl: self.location.origin + returnPath(environmentId),
    /**
     * Waits for the response with this state.
     * @throws KeybayError `frame_backup_denied` if the user denied access; `aborted`
     */
    token: (state: string, signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        const end = (settle: () => void) => {
          waiting.delete(state)
          signal.removeEventListener('abort', leave)
          settle()
        }
        const leave = () => end(() => reject(new KeybayError(aborted)))
        waiting.set(state, ({ token }) =>
          end(() => (token === undefined ? reject(frameError('frame_backup_denied')) : resolve(token))),
        )
        signal.addEventListener('abort', leave)
        if (signal.aborted) leave()
      }),
    close() {
      self.removeEventListener('message', hear)
      channel.close()
    },
  }
}
