/** The kit's views of wallets, with a wallet that does not exist. */
import type { KeybayEvents } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import { type PanelSlots, TokensView, WalletPanel } from '@keybay/solana/ui'
import type { WaasWallet } from '@keybay/waas'
import {
  BackUpFirst,
  BackupBadge,
  BackupNudge,
  SecondDevice,
  SigningStatus,
  type SigningStatusProps,
} from '@keybay/waas/ui'
import { useEffect } from 'react'
import { QrCode } from '../design/qr-code.js'
import { walletSlots } from '../embedded/wallet-slots.js'
import { panelSlots } from '../tokens/panel-slots.js'
import { OTHER_ADDRESS, WALLET } from './wallets.js'

const slots: PanelSlots = { ...panelSlots, qr: code => <QrCode {...code} /> }
/** Wallet in a browser that was added: another one has the shares that make backups. */
const UNVERIFIED: WaasWallet = {
  ...WALLET,
  backup: { state: 'unverified', providers: [] },
  sets: [{ setId: 'added', kind: 'device', createdAt: 0, revoked: false, here: true }],
}

/** With two shares, none of them in a backup. */
const FRAGILE: WaasWallet = { ...WALLET, thresholdSignatureScheme: 'TWO_OF_TWO' }

type Progress = Omit<KeybayEvents['waas:progress'], 'operation' | 'address'>

interface SigningProps {
  readonly state: SigningStatusProps['state']
  readonly progress?: Progress
  /** The wallet's window waits for the user. */
  readonly asks?: boolean
}
/** Reports the work of a wallet to the view of its status. */
function Signing({ state, progress, asks = false }: SigningProps) {
  const { emit } = useKeybay().catalogue
  // Reports reach the status of their own wallet only.
  const address = [state, asks, progress !== undefined].join()
  useEffect(() => {
    if (progress) emit('waas:progress', { ...progress, operation: 'reshare', address })
    if (asks) emit('waas:consent', { operation: 'sign', address })
  }, [emit, progress, asks, address])
  return <SigningStatus state={state} address={address} />
}

const STEP: Progress = { step: 'backup', number: 2, of: 4 }

const VIEWS = {
  'no-backup': <BackupNudge wallet={WALLET} slots={walletSlots} />,
  fragile: <BackupNudge wallet={FRAGILE} slots={walletSlots} />,
  stale: <BackupNudge wallet={{ ...WALLET, backup: { state: 'stale', providers: [] } }} slots={walletSlots} />,
  unverified: <BackupNudge wallet={UNVERIFIED} slots={walletSlots} />,
  badges: (
    <p className="row">
      <BackupBadge wallet={FRAGILE} />
      <BackupBadge wallet={{ ...WALLET, backup: { state: 'stale', providers: [] } }} />
      <BackupBadge wallet={UNVERIFIED} />
    </p>
  ),
  'second-device': <SecondDevice wallet={{ ...WALLET, here: false }} slots={walletSlots} />,
  // Cards are told apart by the addresses of their wallets.
  'second-device-only': (
    <SecondDevice wallet={{ ...FRAGILE, here: false, accountAddress: OTHER_ADDRESS }} slots={walletSlots} />
  ),
  'back-up-first': <BackUpFirst wallet={WALLET} limit="1 SOL" slots={walletSlots} />,
  'back-up-elsewhere': <BackUpFirst wallet={UNVERIFIED} limit="1 SOL" slots={walletSlots} />,
  signing: <Signing state="pending" />,
  'signing-consent': <Signing state="pending" asks />,
  'signing-steps': <Signing state="pending" progress={STEP} />,
  'signing-failed': <Signing state="error" progress={STEP} />,
  'signing-done': <Signing state="success" progress={STEP} />,
  'no-account': <WalletPanel slots={slots} />,
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
