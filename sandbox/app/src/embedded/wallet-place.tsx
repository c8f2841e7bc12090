import type { ReactElement, Ref } from 'react'

/** Where the wallet's own window is shown: a page of another origin, which this page cannot read. */
export function WalletPlace({
  shown,
  place,
}: {
  readonly shown: boolean
  readonly place: Ref<HTMLDivElement>
}): ReactElement {
  return <div ref={place} className={shown ? 'wallet-place wallet-place-shown' : 'wallet-place'} />
}
