/** Who this page is with: the authorisation, kept and renewed, and the accounts that it gives. */
import type { Kernel } from '@keybay/kernel'
import type { MobileWallet } from '@solana-mobile/mobile-wallet-adapter-protocol'
import type { IdentifierString, WalletAccount } from '@wallet-standard/base'
import { withWallet } from './association.js'
import { mobileWalletAnswerInvalid, mobileWalletSessionEnded } from './errors.js'
import type { Faults } from './faults.js'
import { fromAddress, toAddress } from './payloads.js'
import { type Authorisation, createRecord, isAuthorisation } from './record.js'

type Authorized = Awaited<ReturnType<MobileWallet['authorize']>>
export type SignInPayload = NonNullable<Parameters<MobileWallet['authorize']>[0]['sign_in_payload']>
interface Identity {
  readonly uri?: string | undefined
  readonly icon?: string | undefined
  readonly name?: string | undefined
}
export interface SessionParts {
  readonly kernel: Kernel
  readonly chain: IdentifierString
  readonly identity: Identity | undefined
  readonly faults: Faults
  /** Nobody answered in time. */
  late(): Error
}
export interface Session {
  readonly accounts: readonly WalletAccount[]
  subscribe(listener: (accounts: readonly WalletAccount[]) => void): () => void
  /** What is stored, without a word to anybody. */
  restore(): Promise<readonly WalletAccount[]>
  /** Asks the user in the wallet. */
  authorise(signal: AbortSignal | undefined, signIn?: SignInPayload): Promise<Authorized>
  /** One trip: the wallet knows us by the token, then does what is asked. @throws `mobile_wallet_session_ended` */
  use<T>(act: (wallet: MobileWallet) => Promise<T>): Promise<T>
  /** Forgets, then tells the wallet. */
  end(): Promise<void>
}

const FEATURES = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const
const LONGEST_TOKEN = 8192

export function createSession({ kernel, chain, identity, faults, late }: SessionParts): Session {
  const { clock, config, logger } = kernel
  const record = createRecord(kernel)
  const listeners = new Set<(accounts: readonly WalletAccount[]) => void>()
  let accounts: readonly WalletAccount[] = []
  const show = (authorisation: Authorisation | undefined) => {
    const next = authorisation?.accounts ?? []
    if (String(next.map(({ address }) => address)) === String(accounts.map(({ address }) => address))) return
    accounts = next.map(({ address, label }) =>
      Object.freeze({
        address,
        publicKey: fromAddress(address),
        chains: [chain],
        features: FEATURES,
        ...(label && { label }),
      }),
    )
    for (const listener of [...listeners]) listener(accounts)
  }
  const who = () => ({
    uri: identity?.uri ?? location.origin,
    name: identity?.name ?? config.appName,
    ...(identity?.icon && { icon: identity.icon }),
  })
  const find = async () => {
    const found = await record.get()
    return found?.chain === chain ? found : undefined
  }
  const keep = async (answer: Authorized, uriBase: string) => {
    const authorisation = {
      chain,
      accounts: answer.accounts.map(({ address, label }) => ({ address: toAddress(address), ...(label && { label }) })),
      token: answer.auth_token,
      uriBase: answer.wallet_uri_base ?? uriBase,
    }
    if (!isAuthorisation(authorisation) || authorisation.token.length > LONGEST_TOKEN)
      throw faults.of(mobileWalletAnswerInvalid)
    await record.set(authorisation)
    return authorisation
  }
  const trip = async <T>(
    uriBase: string,
    signal: AbortSignal | undefined,
    act: (wallet: MobileWallet) => Promise<T>,
  ) => {
    try {
      return await withWallet({ uriBase, signal, clock, timeout: config.connectTimeout, late }, act)
    } catch (thrown) {
      throw faults.from(thrown)
    }
  }
  const forget = async () => {
    show(undefined)
    await record.remove()
  }
  const authorise: Session['authorise'] = (signal, signIn) =>
    trip('', signal, async wallet => {
      const answer = await wallet.authorize({ chain, identity: who(), ...(signIn && { sign_in_payload: signIn }) })
      signal?.throwIfAborted()
      show(await keep(answer, ''))
      return answer
    })
  return {
    get accounts() {
      return accounts
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async restore() {
      show(await find())
      return accounts
    },
    authorise,
    async use(act) {
      const found = await find()
      if (!found) throw faults.of(mobileWalletSessionEnded)
      return trip(found.uriBase, undefined, async wallet => {
        const call = { chain, identity: who(), auth_token: found.token }
        const answer = await wallet.authorize(call).catch(async thrown => {
          if (Object(thrown).code !== -1) throw thrown
          await forget()
          throw faults.of(mobileWalletSessionEnded, { cause: thrown })
        })
        show(await keep(answer, found.uriBase))
        return act(wallet)
      })
    },
    async end() {
      const found = await record.get()
      await forget()
      if (found)
        await trip(found.uriBase, undefined, wallet => wallet.deauthorize({ auth_token: found.token })).catch(error =>
          logger.debug('mobile wallet: not told', error),
        )
    },
  }
}
