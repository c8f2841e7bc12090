import { useActiveAccount, useSession } from '@keybay/react'
import { lazy, Suspense } from 'react'
import { PageLoading, PageNotLoaded } from '../design/index.js'
import { useEvm } from '../evm/evm-card.js'
import { useEventsBeside } from '../shell/use-devtools.js'
import { SignedIn } from './signed-in.js'
import { Welcome } from './welcome.js'

const Overview = lazy(() =>
  import('./overview-page.js').then(
    ({ OverviewPage }) => ({ default: OverviewPage }),
    () => ({ default: PageNotLoaded }),
  ),
)

/** Welcomes a visitor; tells a signed-in user what to do next; shows the balance and activity of a connected wallet. */
export function HomePage() {
  const { account } = useActiveAccount()
  const { status } = useSession()
  const evm = useEvm()
  useEventsBeside()
  if (account || evm)
    return (
      <Suspense fallback={<PageLoading />}>
        <Overview />
      </Suspense>
    )
  return status === 'authenticated' ? <SignedIn /> : <Welcome />
}
