/**
 * Where connecting a wallet proves it (`connect-and-sign`), keeps a wallet connected only with the account that it proved.
 * A wallet that switches to an account of another user, or of none, is disconnected and proved again.
 */
import type { ConnectContext, Connection, Kernel, Store, WalletConnector } from '@keybay/kernel'
import { WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import type { UserState } from '../api.js'

type Prove = (connector: WalletConnector, ctx: ConnectContext) => Promise<string | undefined>

/** @returns `prove`, watched: a wallet must then connect the address that it proved */
export function guardAccounts(kernel: Kernel, user: Store<UserState>, prove: Prove): Prove {
  const { session, connections, connectors, events, storage } = kernel
  /** Proved addresses of wallets that are connected, or about to be. */
  const addresses = new Map<string, string>()
  /** In the browser's storage too, for other tabs and after a reload. */
  const getKey = (connectorId: string) => `proved:${connectorId}`
  const isOwn = (address: string) => {
    const { status, user: current } = user.get()
    return (
      status === 'ready' &&
      current?.credentials.some(known => known.address === address && known.walletName !== WAAS_WALLET_NAME)
    )
  }
  /**
   * Embedded and custody wallets (`embeddedWallet`, `custodialService`) have no other user's accounts. A wallet that leaves
   * the page can't switch, and proves later.
   */
  const isGuarded = (connectorId: string) => {
    const connector = connectors.get(connectorId)
    return (
      session.provesWallets &&
      connector?.kind === 'wallet' &&
      !/^(emb|cust)/.test(connector.connectionType) &&
      !connector.resume
    )
  }
  /** Closes the connection at once, then waits for the wallet. */
  const proveAgain = async (connectorId: string) => {
    const { userId } = session.current
    await connections.disconnect(connectorId)
    if (session.current.userId === userId) await connections.connect(connectorId, undefined, undefined)
  }
  /** After a reload, or after another tab proved the account: only the user of a visible page can be prompted. */
  const compareStored = async (connectorId: string, address: string) => {
    if ((await storage.get(getKey(connectorId))) === address) addresses.set(connectorId, address)
    else await connections.disconnect(connectorId)
  }
  /** @param isNew the user has just connected it */
  const follow = async ({ connectorId, accounts: [account] }: Connection, isNew: boolean) => {
    if (!account || !isGuarded(connectorId)) return
    const { address } = account
    const proved = addresses.get(connectorId)
    if (proved === address || (!isNew && isOwn(address))) {
      addresses.set(connectorId, address)
      await storage.set(getKey(connectorId), address)
    } else if (isNew) await connections.disconnect(connectorId)
    else if (proved === undefined || document.hidden) await compareStored(connectorId, address)
    else await proveAgain(connectorId)
  }
  const ignore = () => {} // The attempt reports why it failed.
  events.on('connection:opened', ({ connection, resumed }) => follow(connection, !resumed).catch(ignore))
  events.on('connection:changed', ({ connection }) => follow(connection, false).catch(ignore))
  events.on('connection:closed', ({ connectorId, by }) => {
    if (by === 'wallet') return // A locked wallet opens again.
    addresses.delete(connectorId)
    if (by === 'host') void storage.remove(getKey(connectorId))
  })
  return async (connector, ctx) => {
    addresses.delete(connector.id)
    const address = await prove(connector, ctx)
    if (address !== undefined) addresses.set(connector.id, address)
    return address
  }
}
