/** Each page is a chunk of its own, loaded when it is first shown or when the user points at a link to it. */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { PageLoading, PageNotLoaded } from './design/index.js'
import { HomePage } from './overview/home-page.js'
import { parseRoute, type Route } from './routing/router.js'
import { NotFoundPage } from './shell/not-found.js'

type Shown = ComponentType<{ readonly route: Route }>
/** Pages that are not in the app's first chunk. */
type LazyName = Exclude<Route['page'], 'overview' | 'not-found'>

/** Page without parameters. */
function plain(Plain: ComponentType): Shown {
  return () => <Plain />
}

/** Page of one address. */
function ofAddress(Addressed: ComponentType<{ readonly address: string }>): Shown {
  return ({ route }) => ('address' in route ? <Addressed address={route.address} /> : null)
}

const loaders: { readonly [name in LazyName]: () => Promise<Shown> } = {
  send: async () => plain((await import('./send/send-form.js')).SendPage),
  receive: async () => plain((await import('./receive/receive-page.js')).ReceivePage),
  sign: async () => plain((await import('./sign/sign-page.js')).SignPage),
  account: async () => plain((await import('./account/account-page.js')).AccountPage),
  activity: async () => plain((await import('./activity/activity-page.js')).ActivityPage),
  network: async () => plain((await import('./network/network-page.js')).NetworkPage),
  explorer: async () => plain((await import('./explorer/explorer-page.js')).ExplorerPage),
  catalogue: async () => plain((await import('./catalogue/catalogue-page.js')).CataloguePage),
  lab: async () => plain((await import('./lab/lab-page.js')).LabPage),
  wallets: async () => plain((await import('./embedded/wallets-page.js')).WalletsPage),
  'lost-device': async () => plain((await import('./embedded/wallets-page.js')).LostDevicePage),
  'new-wallet': async () => plain((await import('./embedded/new-wallet-page.js')).NewWalletPage),
  'import-wallet': async () => plain((await import('./embedded/new-wallet-page.js')).ImportPage),
  custody: async () => plain((await import('./custody/custody-page.js')).CustodyPage),
  'recover-custody': async () => plain((await import('./custody/account-pages.js')).CustodyRecoveryPage),
  'export-custody': async () => ofAddress((await import('./custody/account-pages.js')).CustodyExportPage),
  address: async () => ofAddress((await import('./explorer/address-page.js')).AddressPage),
  wallet: async () => ofAddress((await import('./embedded/security-page.js')).SecurityPage),
  restore: async () => ofAddress((await import('./embedded/restore-page.js')).RestorePage),
  export: async () => ofAddress((await import('./embedded/export-page.js')).ExportPage),
  drill: async () => ofAddress((await import('./embedded/drill-page.js')).DrillPage),
  backup: async () => ofAddress((await import('./embedded/backup-page.js')).BackupPage),
  delegates: async () => ofAddress((await import('./embedded/delegates/delegates-page.js')).DelegatesPage),
  async transaction() {
    const { TransactionPage } = await import('./explorer/transaction-page.js')
    return ({ route }) => ('signature' in route ? <TransactionPage signature={route.signature} /> : null)
  },
  async block() {
    const { BlockPage } = await import('./explorer/block-page.js')
    return ({ route }) => ('slot' in route ? <BlockPage slot={route.slot} /> : null)
  },
}

/** Pages that are loaded: they show without a moment of waiting. */
const loaded = new Map<LazyName, Shown>()

async function loadPage(name: LazyName): Promise<Shown> {
  const page = loaded.get(name) ?? (await loaders[name]())
  loaded.set(name, page)
  return page
}

/** Loads a page before the user opens it. A failure shows when the user does. */
function preloadPage(path: string): void {
  const { page } = parseRoute(path)
  if (page !== 'overview' && page !== 'not-found') loadPage(page).catch(() => {})
}

/** Preloads the page of each link that the user points at, touches or focuses. */
export function usePreload(): void {
  useEffect(() => {
    const preload = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.origin === location.origin) preloadPage(link.pathname)
    }
    const events = ['pointerover', 'touchstart', 'focusin'] as const
    for (const event of events) addEventListener(event, preload, { passive: true })
    return () => {
      for (const event of events) removeEventListener(event, preload)
    }
  }, [])
}

function LazyPage({ route, name }: { readonly route: Route; readonly name: LazyName }) {
  const [Page] = useState<Shown>(
    () =>
      loaded.get(name) ??
      lazy(() =>
        loadPage(name).then(
          page => ({ default: page }),
          () => ({ default: PageNotLoaded }),
        ),
      ),
  )
  return (
    <Suspense fallback={<PageLoading />}>
      <Page route={route} />
    </Suspense>
  )
}

export function CurrentPage({ route }: { readonly route: Route }) {
  if (route.page === 'overview') return <HomePage />
  if (route.page === 'not-found') return <NotFoundPage />
  return <LazyPage route={route} name={route.page} />
}
