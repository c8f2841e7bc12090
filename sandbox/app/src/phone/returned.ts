/** What a wallet on this phone came back with. The page that asked is gone, so it is kept for whichever page shows it. */
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
/** Listens from now on, whether somebody looks or not. */
export function keepReturned({ on }: Source): void {
  const failed = ({ connectorId, error }: KeybayEvents['connection:failed']) => {
    // What was stopped goes on in another tab, or gave way to something newer.
    if (connectorId.startsWith('deep-link:') && error.code !== 'aborted') returned.set({ error })
  }
  on('operation:resumed', event => returned.set({ event }))
  on('operation:failed', failed)
  on('connection:failed', failed)
}
