import { useUser } from '@keybay/account/react'
import { embeddedWallets } from '@keybay/account/ui'
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

const YourWallets = lazy(() =>
  import('./your-wallets.js').then(
    ({ YourWallets }) => ({ default: YourWallets }),
    () => ({ default: PageNotLoaded }),
  ),
)

/** Home of a signed-in user without a connected wallet. Only a user who has embedded wallets loads their frame. */
function SignedInHome() {
  const { user, status } = useUser()
  if (!user && status === 'loading') return <PageLoading />
  return user && embeddedWallets(user).length > 0 ? (
    <Suspense fallback={<PageLoading />}>
      <YourWallets />
    </Suspense>
  ) : (
    <SignedIn />
  )
}

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
  return status === 'authenticated' ? <SignedInHome /> : <Welcome />
}
