/** The kit's views of wallets, with a wallet that does not exist. */
import { type PanelSlots, TokensView, WalletPanel } from '@keybay/solana/ui'
import type { WaasWallet } from '@keybay/waas'
import { BackupNudge, SecondDevice, SigningStatus } from '@keybay/waas/ui'
import { QrCode } from '../design/qr-code.js'
import { walletSlots } from '../embedded/wallet-slots.js'
import { panelSlots } from '../tokens/panel-slots.js'

const slots: PanelSlots = { ...panelSlots, qr: code => <QrCode {...code} /> }
const WALLET: WaasWallet = {
  walletId: 'catalogue',
  accountAddress: 'So11111111111111111111111111111111111111112',
  chainName: 'SOL',
  publicKey: new Uint8Array(32),
  thresholdSignatureScheme: 'TWO_OF_THREE',
  setId: 'catalogue',
  epoch: 0,
  signing: 'threshold',
  origin: 'dkg',
  exportable: false,
  exported: false,
  here: true,
  passwordEncrypted: false,
  backup: { state: 'none', providers: [] },
  sets: [{ setId: 'catalogue', kind: 'primary', createdAt: 0, revoked: false, here: true }],
  createdAt: 0,
}
/** Of a browser that was added: another one has the shares that make backups. */
const UNVERIFIED: WaasWallet = {
  ...WALLET,
  backup: { state: 'unverified', providers: [] },
  sets: [{ setId: 'added', kind: 'device', createdAt: 0, revoked: false, here: true }],
}

/** With two shares, none of them in a backup. */
const FRAGILE: WaasWallet = { ...WALLET, thresholdSignatureScheme: 'TWO_OF_TWO' }

const VIEWS = {
  'no-backup': <BackupNudge wallet={WALLET} slots={walletSlots} />,
  fragile: <BackupNudge wallet={FRAGILE} slots={walletSlots} />,
  stale: <BackupNudge wallet={{ ...WALLET, backup: { state: 'stale', providers: [] } }} slots={walletSlots} />,
  unverified: <BackupNudge wallet={UNVERIFIED} slots={walletSlots} />,
  'second-device': <SecondDevice wallet={{ ...WALLET, here: false }} slots={walletSlots} />,
  signing: <SigningStatus state="pending" />,
  panel: <WalletPanel address={WALLET.accountAddress} slots={slots} />,
  tokens: <TokensView address={WALLET.accountAddress} slots={slots} />,
}

export function WalletViews() {
  return Object.entries(VIEWS).map(([name, view]) => (
    <div key={name} data-state={name}>
      {view}
    </div>
  ))
}
