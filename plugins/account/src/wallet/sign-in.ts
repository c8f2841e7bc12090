/** Signs in or links with a wallet: in one step with its connect, or with one signature if it is connected. */
import type { ConnectContext, ExchangeContext, Kernel, WalletConnector } from '@keybay/kernel'
import { accountNotFound, KeybayError, toKeybayError, WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import type { Client } from '../client.js'
import type { EntranceControl, OpenEntrance } from '../entrance.js'
import { isSignedIn } from '../lifecycle.js'
import type { ReadSettings } from '../mfa.js'
import { read } from '../parse/check.js'
import { isNonce } from '../parse/sign-in.js'
import type { Users } from '../users.js'
import { createReturns, getProof } from './returns.js'
import { proveAddress, type WalletAccount, type WalletProof } from './sign.js'
import { getStatement } from './siws.js'

const MAX_NAME_LENGTH = 64

export interface Wallets {
  /**
   * Returns the API's response to the wallet's proof, or undefined if the user already has this wallet.
   *
   * @param connecting the attempt that connects the wallet
   */
  prove(connector: WalletConnector, ctx: ExchangeContext, connecting?: ConnectContext): Promise<unknown>
  /** Completes `prove` with a signature that returned to another page. Undefined if no page requested it. */
  resume(connectorId: string, result: unknown, ctx: ExchangeContext): Promise<unknown>
  /** Returns true if the page left to connect this wallet for a sign-in, and clears that record. */
  began(connectorId: string): Promise<boolean>
  getAccount(connectorId: string): WalletAccount | undefined
  /** Returns the address that the wallet proved last in this page. */
  getProved(connectorId: string): string | undefined
  /** Returns true if the signed-in user has this wallet. */
  has(address: string, signal: AbortSignal | undefined): Promise<boolean>
}

/** Settles like `promise`, or rejects with the signal's reason, even if the wallet ignores the signal. */
export function untilAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface Parts {
  readonly client: Client
  readonly entrances: EntranceControl
  readonly users: Users
  readonly settings: ReadSettings
  readonly statement: string | undefined
}

/** Fetches a nonce, and returns it with the fields of the message to sign. */
async function prepareFields(
  { config, clock }: Kernel,
  { client, statement }: Parts,
  { key }: OpenEntrance,
  signal: AbortSignal,
) {
  const answer = await client.send('/auth/nonce', { method: 'POST', key, anonymous: true, signal })
  const { nonceId, nonce } = read(isNonce, answer)
  const fields = {
    domain: location.host,
    statement: getStatement(statement ?? `Sign in to ${config.appName}.`),
    uri: location.origin,
    version: '1',
    nonce,
    // Uses this device's clock, because the wallet uses it too; the nonce limits the message's lifetime.
    issuedAt: new Date(clock.now()).toISOString(),
  }
  return { nonceId, fields }
}

async function connectWallet(connector: WalletConnector, connecting: ConnectContext | undefined, silent: boolean) {
  if (connector.connect) return connecting && (await connector.connect({ ...connecting, silent }))[0]
  const { wallet } = connector
  const output = await wallet.features['standard:connect']?.connect(silent ? { silent } : undefined)
  return (output?.accounts ?? wallet.accounts)[0]
}

export function createWallets(kernel: Kernel, parts: Parts): Wallets {
  const { session, connections, accounts } = kernel
  const { entrances, users } = parts
  const returns = createReturns(kernel)
  const proved = new Map<string, string>()
  const has: Wallets['has'] = async (address, signal) => {
    await session.restore()
    if (!isSignedIn(session.current)) return false
    const user = await users.get(signal)
    // An embedded wallet with this address does not prove that the user holds the connected one.
    return Boolean(user?.credentials.some(known => known.address === address && known.walletName !== WAAS_WALLET_NAME))
  }
  const getAccount: Wallets['getAccount'] = connectorId => {
    const active = accounts.active('solana')
    return active?.connectorId === connectorId ? active.walletAccount : connections.get(connectorId)?.accounts[0]
  }
  const post = async (entrance: OpenEntrance, proof: WalletProof, nonceId: string, walletName: string) =>
    entrance.post('wallet', { proof: { ...proof, nonceId, ...(walletName && { walletName }) } }).catch(thrown => {
      if (toKeybayError(thrown).code !== 'account_already_linked') throw thrown
      return undefined
    })
  const signedIn = () =>
    new Promise<void>(resolve => {
      const off = session.subscribe(() => {
        if (!isSignedIn(session.current)) return
        off()
        resolve()
      })
    })
  return {
    has,
    getAccount,
    getProved: connectorId => proved.get(connectorId),
    began: returns.began,
    async resume(connectorId, result, ctx) {
      const expected = await returns.take(connectorId)
      const proof = expected && getProof(result, expected)
      return proof && post(await entrances.open(ctx), proof, expected.nonceId, expected.walletName)
    },
    async prove(connector, ctx, connecting) {
      const { wallet } = connector
      const { signal } = ctx
      const connect = (silent: boolean) => connectWallet(connector, connecting, silent)
      const guard = <T>(promise: Promise<T>) => untilAborted(signal, promise)
      const entrance = await entrances.open(ctx)
      let account = getAccount(connector.id)
      // The signed-in user may have this wallet already; a wallet that trusts the page connects silently and shows its
      // address.
      if (!account && entrance.mode === 'link') account = await guard(connect(true)).catch(() => undefined)
      const connectorId = connector.id
      proved.delete(connectorId)
      if (account && entrance.mode === 'link' && (await has(account.address, signal))) {
        proved.set(connectorId, account.address)
        return undefined
      }
      const leaves = Boolean(connector.resume)
      if (leaves && !account && connecting) {
        await returns.begin(connectorId)
        await guard(connect(false))
        // The wallet returned to another page, which continues; this page has had no user gesture.
        await guard(signedIn())
        return undefined
      }
      // A proof that returns to another page asks there.
      if (!leaves) await guard(entrance.agree())
      const { nonceId, fields } = await prepareFields(kernel, parts, entrance, signal)
      const walletName = wallet.name.trim().slice(0, MAX_NAME_LENGTH)
      const proof = await proveAddress({
        wallet,
        fields,
        account,
        guard,
        acceptsTransaction: async () => Boolean((await parts.settings({ signal })).signIn.walletTransaction),
        ...(leaves && { leaving: proof => returns.expect({ ...proof, connectorId, nonceId, walletName }) }),
        async connect() {
          const connected = await guard(connect(false))
          if (!connected) throw new KeybayError(accountNotFound)
          return connected
        },
      }).catch(thrown => {
        const error = toKeybayError(thrown, connector.id)
        throw error.connectorId ? error : new KeybayError(error, { cause: error, connectorId: connector.id })
      })
      signal.throwIfAborted()
      // If the wallet opened a new tab, that tab may have read the proof and signs in all tabs.
      if (leaves && !(await returns.take(connectorId))) return undefined
      const answer = await post(entrance, proof, nonceId, walletName)
      proved.set(connectorId, proof.address)
      return answer
    },
  }
}
