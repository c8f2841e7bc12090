/** Signs in with a wallet: by a call, with its connect, or after the page was left for it. */
import type {
  ConnectContext,
  ExchangeContext,
  Kernel,
  KeybayEvents,
  SessionState,
  WalletConnector,
} from '@keybay/kernel'
import { accountNotFound, KeybayError, toKeybayError } from '@keybay/kernel/spec'
import type { CallOptions } from '../api.js'
import type { SignIn } from '../sign-in.js'
import { untilAborted, type Wallets } from './sign-in.js'

export interface WalletEntry {
  enter(connector: WalletConnector, ctx: ExchangeContext, connecting?: ConnectContext): Promise<SessionState>
  signInWallet(connectorId: string, options?: CallOptions): Promise<SessionState>
  /** Returns the address that the wallet proved; undefined for an embedded or custody wallet, which proves nothing. */
  prove(connector: WalletConnector, ctx: ConnectContext): Promise<string | undefined>
  /** Handles a signature of a wallet that the page was left for, maybe to sign in. */
  resumed(operation: KeybayEvents['operation:resumed']): Promise<void>
  /** Continues a sign-in for which the page was left to connect this wallet. */
  returned(connectorId: string): Promise<void>
}

interface Parts {
  readonly wallets: Wallets
  /** Read late: the sign-in itself enters by a wallet. */
  readonly getSignIn: () => SignIn
  createContext(signal?: AbortSignal, connectorId?: string): ExchangeContext
}

export function createWalletEntry(kernel: Kernel, { wallets, getSignIn, createContext }: Parts): WalletEntry {
  const { session, connections, connectors, events } = kernel
  const entering = new Map<string, Promise<SessionState>>()
  const reportFailure = (connectorId: string) => (thrown: unknown) => {
    events.emit('operation:failed', { connectorId, method: 'signIn', error: toKeybayError(thrown) })
  }
  const enter: WalletEntry['enter'] = (connector, ctx, connecting) =>
    getSignIn().attempt(async finish => {
      const answer = await wallets.prove(connector, ctx, connecting)
      return answer === undefined ? session.current : finish(answer, ctx)
    })
  const signInWallet: WalletEntry['signInWallet'] = async (id, { signal } = {}) => {
    const connector = connectors.get(id)
    if (!connections.get(id)) await connections.connect(id, undefined, signal, true)
    const account = wallets.getAccount(id)
    if (connector?.kind !== 'wallet' || !account) throw new KeybayError(accountNotFound, { connectorId: id })
    // Another attempt may have connected it without a proof.
    if (await wallets.has(account.address, signal)) return session.current
    const forget = () => {
      entering.delete(id)
    }
    const running = entering.get(id) ?? enter(connector, createContext(signal, id)).finally(forget)
    entering.set(id, running)
    return untilAborted(signal, running)
  }
  return {
    enter,
    signInWallet,
    async prove(connector, ctx) {
      // The user's own wallets prove nothing.
      if (['embeddedWallet', 'custodialService'].includes(connector.connectionType)) return undefined
      await enter(connector, ctx, ctx)
      return wallets.getProved(connector.id)
    },
    async resumed({ connectorId, result }) {
      const ctx = createContext(undefined, connectorId)
      const answer = await wallets.resume(connectorId, result, ctx).catch(reportFailure(connectorId))
      if (answer !== undefined) await getSignIn().attempt(finish => finish(answer, ctx))
    },
    async returned(connectorId) {
      const name = connectors.get(connectorId)?.name
      const account = wallets.getAccount(connectorId)
      if (!(await wallets.began(connectorId)) || !account || (await wallets.has(account.address, undefined))) return
      try {
        // A phone opens an app only after a user gesture, and a page that has just returned has had none.
        await createContext(undefined, connectorId).prompt({
          type: 'choice',
          question: { id: 'returned', name },
          title: `One more step in ${name}`,
          text: `${name} is connected. Open it again and sign a message to prove that this address is yours.`,
          options: [{ id: 'open', label: `Open ${name}` }],
        })
        await signInWallet(connectorId)
      } catch (thrown) {
        reportFailure(connectorId)(thrown)
      }
    },
  }
}
