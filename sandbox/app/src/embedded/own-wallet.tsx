import type { KeybayError } from '@keybay/kernel'
import { useSession } from '@keybay/react'
import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactNode } from 'react'
import { Empty, Failure, Loading, Page } from '../design/index.js'
import { Link, LinkButton } from '../routing/link.js'
import { SignInButton } from '../sign-in/sign-in-provider.js'

interface OwnWalletProps {
  readonly address: string
  readonly children: (wallet: WaasWallet) => ReactNode
}

/** Renders one of the user's wallets; shows the load state until then. */
export function OwnWallet({ address, children }: OwnWalletProps) {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  return (
    <>
      <WalletsState
        failed={status === 'error' ? error : undefined}
        isKnown={wallets !== undefined}
        isShown={wallet !== undefined}
        retry={refresh.run}
      />
      {wallets && !wallet && status === 'ready' && <NotYours title="This is not one of your wallets" to="/wallets" />}
      {wallet && children(wallet)}
    </>
  )
}

/** @param to page that lists the user's wallets */
export function NotYours({ title, to, text = 'To your wallets' }: { title: string; to: string; text?: string }) {
  return (
    <section className="keybay-card">
      <Empty icon="wallet" title={title} action={<LinkButton to={to} kind="primary" text={text} />}>
        Check the address, or sign in as the user whose wallet it is.
      </Empty>
    </section>
  )
}

interface WalletsStateProps {
  readonly failed: KeybayError | undefined
  /** Data was loaded, possibly stale. */
  readonly isKnown: boolean
  /** The loaded data contains the wallet that the page shows. */
  readonly isShown: boolean
  retry(): void
}

export function WalletsState({ failed, isKnown, isShown, retry }: WalletsStateProps) {
  const title = isShown ? 'This may be out of date.' : 'Your wallet could not be loaded.'
  if (failed) return <Failure title={title} error={failed} retry={retry} />
  return isKnown ? null : (
    <section className="keybay-card" aria-label="Wallet">
      <Loading what="your wallet" widths={[18, 26, 22]} />
    </section>
  )
}

/** Renders its children for a signed-in user only, because a wallet belongs to a user. */
export function NeedsSignIn({ children }: { readonly children: ReactNode }) {
  const { status } = useSession()
  if (status === 'authenticated') return <>{children}</>
  const hasEnded = status === 'expired'
  const title = hasEnded ? 'Your session has ended' : 'Sign in to have a wallet of your own'
  return (
    <section className="keybay-card">
      <Empty icon="shield" title={title} action={<SignInButton />}>
        {hasEnded
          ? 'Sign in again to go on. Your wallets are where they were.'
          : 'A wallet here belongs to your account. Its key is divided, so that no single machine can sign.'}
      </Empty>
    </section>
  )
}

interface WalletPageProps extends OwnWalletProps {
  readonly title: string
  readonly lead: string
  readonly backTo?: string
  readonly back?: string
}

/** Page about one of the user's wallets. */
export function WalletPage({ title, lead, address, backTo, back = 'Back to the wallet', children }: WalletPageProps) {
  const text = (
    <>
      {lead} <Link to={backTo ?? `/wallets/${address}`}>{back}</Link>
    </>
  )
  return (
    <Page title={title} width="narrow" lead={text}>
      <NeedsSignIn>
        <OwnWallet address={address}>{children}</OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
