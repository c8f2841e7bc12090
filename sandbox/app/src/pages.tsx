import { AccountPage } from './account/account-page.js'
import { ActivityPage } from './activity/activity-page.js'
import { CustodyExportPage, CustodyRecoveryPage } from './custody/account-pages.js'
import { CustodyPage } from './custody/custody-page.js'
import { BackupPage } from './embedded/backup-page.js'
import { DelegatesPage } from './embedded/delegates/delegates-page.js'
import { DrillPage } from './embedded/drill-page.js'
import { ExportPage } from './embedded/export-page.js'
import { ImportPage, NewWalletPage } from './embedded/new-wallet-page.js'
import { RestorePage } from './embedded/restore-page.js'
import { SecurityPage } from './embedded/security-page.js'
import { LostDevicePage, WalletsPage } from './embedded/wallets-page.js'
import { AddressPage } from './explorer/address-page.js'
import { BlockPage } from './explorer/block-page.js'
import { ExplorerPage } from './explorer/explorer-page.js'
import { TransactionPage } from './explorer/transaction-page.js'
import { LabPage } from './lab/lab-page.js'
import { NetworkPage } from './network/network-page.js'
import { OverviewPage } from './overview/overview-page.js'
import { ReceivePage } from './receive/receive-page.js'
import type { Route } from './routing/router.js'
import { SendPage } from './send/send-form.js'
import { NotFoundPage } from './shell/header.js'
import { SignPage } from './sign/sign-page.js'

const plain = {
  overview: OverviewPage,
  send: SendPage,
  receive: ReceivePage,
  sign: SignPage,
  account: AccountPage,
  activity: ActivityPage,
  network: NetworkPage,
  explorer: ExplorerPage,
  lab: LabPage,
  wallets: WalletsPage,
  'new-wallet': NewWalletPage,
  'import-wallet': ImportPage,
  'lost-device': LostDevicePage,
  custody: CustodyPage,
  'recover-custody': CustodyRecoveryPage,
  'not-found': NotFoundPage,
}
const ofAddress = {
  address: AddressPage,
  wallet: SecurityPage,
  restore: RestorePage,
  export: ExportPage,
  drill: DrillPage,
  backup: BackupPage,
  delegates: DelegatesPage,
  'export-custody': CustodyExportPage,
}

export function CurrentPage({ route }: { readonly route: Route }) {
  if (route.page === 'transaction') return <TransactionPage signature={route.signature} />
  if (route.page === 'block') return <BlockPage slot={route.slot} />
  if ('address' in route) {
    const AddressedPage = ofAddress[route.page]
    return <AddressedPage address={route.address} />
  }
  const PlainPage = plain[route.page]
  return <PlainPage />
}
