/** Is anybody there? Asked and answered with no handler between. */
import type { Clock, KeybayError } from '@keybay/kernel'
import { messengerClosed } from './errors.js'
import { fault } from './fault.js'

export interface Pings {
  /** Resolves with the answer. @throws KeybayError `messenger_closed` after `ms`, or when it ends */
  ask(id: number, ms: number): Promise<void>
  answered(id: number): void
  end(): void
}

export function createPings(clock: Clock): Pings {
  const open = new Map<number, (error?: KeybayError) => void>()
  return {
    ask: (id, ms) =>
      new Promise((resolve, reject) => {
        const settle = (error?: KeybayError) => {
          stop()
          open.delete(id)
          if (error) reject(error)
          else resolve()
        }
        const stop = clock.after(ms, () => settle(fault(messengerClosed)))
        open.set(id, settle)
      }),
    answered: id => open.get(id)?.(),
    end() {
      for (const settle of open.values()) settle(fault(messengerClosed))
    },
  }
}
