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

export function CurrentPage({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'overview':
      return <OverviewPage />
    case 'send':
      return <SendPage />
    case 'receive':
      return <ReceivePage />
    case 'sign':
      return <SignPage />
    case 'account':
      return <AccountPage />
    case 'activity':
      return <ActivityPage />
    case 'network':
      return <NetworkPage />
    case 'explorer':
      return <ExplorerPage />
    case 'lab':
      return <LabPage />
    case 'wallets':
      return <WalletsPage />
    case 'new-wallet':
      return <NewWalletPage />
    case 'import-wallet':
      return <ImportPage />
    case 'lost-device':
      return <LostDevicePage />
    case 'restore':
      return <RestorePage address={route.address} />
    case 'export':
      return <ExportPage address={route.address} />
    case 'drill':
      return <DrillPage address={route.address} />
    case 'backup':
      return <BackupPage address={route.address} />
    case 'delegates':
      return <DelegatesPage address={route.address} />
    case 'wallet':
      return <SecurityPage address={route.address} />
    case 'custody':
      return <CustodyPage />
    case 'recover-custody':
      return <CustodyRecoveryPage />
    case 'export-custody':
      return <CustodyExportPage address={route.address} />
    case 'transaction':
      return <TransactionPage signature={route.signature} />
    case 'address':
      return <AddressPage address={route.address} />
    case 'block':
      return <BlockPage slot={route.slot} />
    case 'not-found':
      return <NotFoundPage />
  }
}
