/** States of the kit's views of wallets that depend on the network or on another window. */
import { type Account, KeybayError, type Registered, requestFailed } from '@keybay/kernel'
import { connectTimeout, userRejected } from '@keybay/kernel/spec'
import { AccountButton, ConnectDialog } from '@keybay/react/ui'
import {
  type BalanceChange,
  type BuiltTransaction,
  destinationNeedsRent,
  type HistoryEntry,
  rpcUnreachable,
  type SolanaEngine,
  type SolanaSteps,
  type TokenAccount,
  type TransactionRecord,
  type TransactionStep,
} from '@keybay/solana'
import { ActivityView, NetworkView, SendView, TokensView } from '@keybay/solana/ui'
import { BackupGate, BackupNudge, SecondDevice } from '@keybay/waas/ui'
import { walletSlots } from '../embedded/wallet-slots.js'
import { keybay } from '../keybay.js'
import { panelSlots } from '../tokens/panel-slots.js'
import { fail, getNone, never, nothing, type State, subscribe } from './state.js'
import { OTHER_ADDRESS, WALLET } from './wallets.js'

const FROM = WALLET.accountAddress
const DEMO = { mint: '2BUisbSVMhutnXfLtGgdyqXdXgL59BqJ9ehqcfZSC4JP', decimals: 6 }
const FEE = { mint: 'GNpucKL8cxumsJ3Gta7Rri18SHMrx4BdiQwviZBQo179', decimals: 6 }
const UNKNOWN = { mint: 'Stake11111111111111111111111111111111111111', decimals: 2 }
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
const SOL = 1_000_000_000n
const FEE_LAMPORTS = 5000n
const MINUTE_MS = 60_000

function createAccount(token: typeof DEMO, amount: bigint, frozen = false): TokenAccount {
  return { ...token, address: `${token.mint} account`, program: 'program', amount, frozen }
}
const ACCOUNTS = [
  createAccount(DEMO, 1_234_500_000n),
  createAccount(FEE, 100_000_000n),
  createAccount(UNKNOWN, 70_000n, true),
]
const BUILT: BuiltTransaction = { networkId: 104, from: FROM, transaction: new Uint8Array() }
const CHANGES: readonly BalanceChange[] = [
  { owner: FROM, before: 2n * SOL, after: 2n * SOL - SOL / 4n - FEE_LAMPORTS },
  { owner: OTHER_ADDRESS, before: 0n, after: SOL / 4n },
]
function createTokenChange(owner: string, after: bigint): BalanceChange {
  return { owner, before: 100_000_000n, after, token: { ...FEE, account: `${owner} account`, program: 'program' } }
}
/** The token keeps 1 %. */
const TOKEN_CHANGES: readonly BalanceChange[] = [
  { owner: FROM, before: 2n * SOL, after: 2n * SOL - FEE_LAMPORTS },
  createTokenChange(FROM, 90_000_000n),
  createTokenChange(OTHER_ADDRESS, 109_900_000n),
]
const BEGUN: readonly TransactionStep[] = [
  { id: '1', step: 'built', networkId: 104, from: FROM },
  { id: '1', step: 'fee', fee: FEE_LAMPORTS },
]
const SIGNED: readonly TransactionStep[] = [...BEGUN, { id: '1', step: 'signed', signature: SIGNATURE }]
const CONFIRMATION = { signature: SIGNATURE, slot: 1234 }
const DONE: readonly TransactionStep[] = [
  ...SIGNED,
  { id: '1', step: 'sent', signature: SIGNATURE, acknowledged: true },
  { id: '1', step: 'confirmed', ...CONFIRMATION },
]
const DECLINED = new KeybayError(userRejected)
const OFFLINE = new KeybayError(rpcUnreachable)

function ago(minutes: number): number {
  return Date.now() - minutes * MINUTE_MS
}
function createEntry(number: number, rest: Partial<HistoryEntry>): HistoryEntry {
  const signature = `${number}${SIGNATURE.slice(1)}`
  return {
    signature,
    slot: 1234 - number,
    time: ago(number * 7),
    failed: false,
    memo: undefined,
    movement: undefined,
    ...rest,
  }
}
const HISTORY: readonly HistoryEntry[] = [
  createEntry(1, { movement: { lamports: -SOL / 4n, tokens: [] }, memo: 'Lunch' }),
  createEntry(2, { movement: { lamports: 2n * SOL, tokens: [] } }),
  createEntry(3, { movement: { lamports: -FEE_LAMPORTS, tokens: [{ ...DEMO, account: '1', amount: -12_500_000n }] } }),
  createEntry(4, { failed: true, movement: { lamports: -FEE_LAMPORTS, tokens: [] } }),
]
function createRecord(status: TransactionRecord['status'], minutes: number): TransactionRecord {
  const signature = `${minutes}${SIGNATURE.slice(1)}`
  const transfers = [{ to: OTHER_ADDRESS, amount: SOL / 4n }]
  return {
    signature,
    networkId: keybay.solana.networks.current()?.networkId ?? 0,
    from: FROM,
    transfers,
    signedAt: ago(minutes),
    status,
  }
}

/** Responses of the chain, unless the state says otherwise. */
const ANSWERS: Partial<SolanaSteps> = {
  build: async () => BUILT,
  fee: async built => ({ ...built, fee: FEE_LAMPORTS }),
  simulate: async () => ({ units: 0, logs: [], changes: CHANGES }),
  tokenAccounts: async () => ACCOUNTS,
  watchTokenAccounts: subscribe,
  history: async () => HISTORY,
}
function record(...records: readonly TransactionRecord[]): Pick<SolanaSteps, 'transactions'> {
  return { transactions: { list: () => records, subscribe, resume: async () => {} } }
}

function onChain(steps: Partial<SolanaSteps> = {}, engine: Partial<SolanaEngine> = {}): Registered {
  const { solana } = keybay
  return {
    ...keybay,
    solana: {
      ...solana,
      watchBalance(_address, listener) {
        listener(2n * SOL)
        return nothing
      },
      ...engine,
      steps: async () => ({ ...(await solana.steps()), ...record(), ...ANSWERS, ...steps }),
    },
  }
}
/** @param end undefined for a transfer that goes on */
function sends(reported: readonly TransactionStep[], end?: KeybayError | typeof CONFIRMATION): Partial<SolanaEngine> {
  return {
    async send({ onStep }) {
      for (const step of reported) onStep?.(step)
      if (end instanceof KeybayError) throw end
      return end ?? never()
    },
  }
}
function send(instance: Registered, to = OTHER_ADDRESS, amount = '0.25', token = ''): State {
  return { keybay: instance, view: () => <SendView address={FROM} slots={panelSlots} {...{ to, amount, token }} /> }
}
function tokens(steps: Partial<SolanaSteps>): State {
  return { keybay: onChain(steps), view: () => <TokensView address={FROM} slots={panelSlots} /> }
}
function activity(steps: Partial<SolanaSteps>): State {
  return { keybay: onChain(steps), view: () => <ActivityView address={FROM} slots={panelSlots} /> }
}
function embedded(calls: Partial<Registered['waas']>, view: State['view']): State {
  return { keybay: { ...keybay, waas: { ...keybay.waas, ...calls } }, view }
}
function nudge() {
  return <BackupNudge wallet={WALLET} slots={walletSlots} />
}
function otherDevice() {
  return <SecondDevice wallet={{ ...WALLET, here: false }} slots={walletSlots} />
}

/** Its advice is the longest of all, in each language. */
const WORDY = {
  code: 'frame_storage_unavailable',
  message: 'This browser doesn’t allow the wallet to store data. Allow it, or use another browser',
}
const SANDBOX_WALLET = 'wallet-standard:sandbox-wallet'
const WALLETS_ONLY = { kind: 'wallet' } as const

function connecting(changes: Partial<Registered>): State {
  return {
    keybay: { ...keybay, ...changes },
    view: close => <ConnectDialog open filter={WALLETS_ONLY} onClose={close} />,
  }
}
function attempting(status: 'connecting' | 'failed', error?: KeybayError): State {
  const attempt = { connectorId: SANDBOX_WALLET, method: 'connect', status, error }
  const attempts = [attempt]
  return connecting({
    attempts: { ...keybay.attempts, list: () => attempts, subscribe },
    connect: error ? fail(error) : never,
  })
}
function createKnownAccount(address: string, label?: string): Account {
  const walletAccount = { address, publicKey: new Uint8Array(32), chains: ['solana:localnet'] as const, features: [] }
  return { ...walletAccount, key: address, connectorId: SANDBOX_WALLET, label, walletAccount }
}
const CONNECTED = [createKnownAccount(FROM), createKnownAccount(OTHER_ADDRESS, 'Savings')]

export const WALLET_STATES: Readonly<Record<string, State>> = {
  'send-filled': send(onChain()),
  'send-wrong': send(onChain(), '0x', '99'),
  'send-warning': send(onChain({ fee: fail(new KeybayError(destinationNeedsRent)) })),
  'send-token': send(
    onChain({ simulate: async () => ({ units: 0, logs: [], changes: TOKEN_CHANGES }) }),
    OTHER_ADDRESS,
    '10',
    FEE.mint,
  ),
  'send-again': send(onChain(record(createRecord('confirmed', 0)))),
  'send-waiting': send(onChain({}, sends(SIGNED))),
  'send-done': send(onChain({}, sends(DONE, CONFIRMATION))),
  'send-failed': send(onChain({}, sends([...BEGUN, { id: '1', step: 'failed', error: DECLINED }], DECLINED))),
  'tokens-listed': tokens({}),
  'tokens-loading': tokens({ tokenAccounts: never }),
  'tokens-failed': tokens({ tokenAccounts: fail(OFFLINE) }),
  'activity-listed': activity(record(createRecord('pending', 1), createRecord('expired', 3))),
  'activity-loading': activity({ history: never }),
  'activity-failed': activity({ history: fail(OFFLINE) }),
  'network-own': {
    keybay: onChain({ nodes: { get: async () => 'https://rpc.example/', set: never, remove: never } }),
    view: () => <NetworkView />,
  },
  'backup-gate-loading': embedded({}, () => (
    <BackupGate address={FROM} balance={undefined} hideAbove={SOL} limit="1 SOL">
      {FROM}
    </BackupGate>
  )),
  'backup-waiting': embedded({ backup: never }, nudge),
  'backup-failed': embedded({ backup: fail(new KeybayError(requestFailed)) }, nudge),
  'second-device-waiting': embedded({ addDevice: never }, otherDevice),
  'second-device-failed': embedded({ addDevice: fail(new KeybayError(requestFailed)) }, otherDevice),
  'connect-none': connecting({ connectors: { ...keybay.connectors, list: getNone } }),
  'connect-waiting': attempting('connecting'),
  'connect-wordy': attempting('failed', new KeybayError(WORDY)),
  'connect-failed': attempting('failed', new KeybayError(connectTimeout)),
  'account-menu': {
    keybay: {
      ...keybay,
      accounts: { ...keybay.accounts, list: () => CONNECTED, active: () => CONNECTED[0], subscribe },
    },
    view: () => <AccountButton />,
  },
}
