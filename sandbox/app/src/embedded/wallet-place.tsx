import { type ReactElement, type RefObject, useEffect } from 'react'

/** Where the wallet's own window is shown: a page of another origin, which this page cannot read. */
export function WalletPlace({
  shown,
  place,
}: {
  readonly shown: boolean
  readonly place: RefObject<HTMLDivElement | null>
}): ReactElement {
  // Its buttons count only where all of them can be seen.
  useEffect(() => {
    if (shown) place.current?.scrollIntoView({ block: 'center' })
  }, [shown, place])
  return <div ref={place} className={shown ? 'wallet-place wallet-place-shown' : 'wallet-place'} />
}
