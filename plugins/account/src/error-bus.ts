/** A bus with one listener: gives the kernel's log sink also what was logged before this code loaded. */
import type { Kernel, KeybayEvents } from '@keybay/kernel'

type Bus = Kernel['events']
// Name and payload travel together, so the name says what the payload is.
function isOf<K extends keyof KeybayEvents>(
  event: K,
  name: keyof KeybayEvents,
  _payload: unknown,
): _payload is KeybayEvents[K] {
  return event === name
}

export function createErrorBus(): Bus {
  let tell = (_name: keyof KeybayEvents, _payload: unknown): void => {}
  return {
    on(event, listener) {
      tell = (name, payload) => {
        if (isOf(event, name, payload)) listener(payload)
      }
      return () => {}
    },
    onAny: () => () => {},
    emit: (name, payload) => tell(name, payload),
  }
}
