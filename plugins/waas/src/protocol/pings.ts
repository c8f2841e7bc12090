/** Asks the other side whether it is alive. No handler takes part. */
import { type Clock, KeybayError } from '@keybay/kernel/spec'
import { messengerClosed } from './errors.js'

export interface Pings {
  /** Resolves with the pong. @throws KeybayError `messenger_closed` after `ms`, or at the end */
  wait(id: number, ms: number): Promise<void>
  resolve(id: number): void
  end(): void
}

export function createPings(clock: Clock): Pings {
  const pending = new Map<number, (error?: KeybayError) => void>()
  return {
    wait: (id, ms) =>
      new Promise((resolve, reject) => {
        const settle = (error?: KeybayError) => {
          stop()
          pending.delete(id)
          if (error) reject(error)
          else resolve()
        }
        const stop = clock.after(ms, () => settle(new KeybayError(messengerClosed)))
        pending.set(id, settle)
      }),
    resolve: id => pending.get(id)?.(),
    end() {
      for (const settle of pending.values()) settle(new KeybayError(messengerClosed))
    },
  }
}
