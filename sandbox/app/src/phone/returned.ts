/** Keeps the result of a mobile wallet for the next page that shows it, because the page that requested it is gone. */
import { createStore, type KeybayError, type KeybayEvents, type Store } from '@keybay/kernel'

export type Returned =
  | { readonly event: KeybayEvents['operation:resumed']; readonly error?: undefined }
  | { readonly event?: undefined; readonly error: KeybayError }

export const returned: Store<Returned | undefined> = createStore<Returned | undefined>(undefined, error =>
  console.error(error),
)
interface Source {
  on<const K extends 'operation:resumed' | 'operation:failed' | 'connection:failed'>(
    event: K,
    listener: (payload: KeybayEvents[K]) => void,
  ): unknown
}
/** Subscribes immediately, even if no page shows the result. */
export function keepReturned({ on }: Source): void {
  const failed = ({ connectorId, error }: KeybayEvents['connection:failed']) => {
    // An aborted operation continues in another tab or was replaced by a newer one.
    if (connectorId.startsWith('deep-link:') && error.code !== 'aborted') returned.set({ error })
  }
  on('operation:resumed', event => returned.set({ event }))
  on('operation:failed', failed)
  on('connection:failed', failed)
}
