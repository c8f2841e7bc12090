/** What this page and one wallet know of each other: the session, and the one request that is under way. */
import type { ErrorSpec, Kernel } from '@keybay/kernel'
import type { IdentifierString, WalletAccount } from '@wallet-standard/base'
import { redirectLink } from './address.js'
import { deepLinkStorageBlocked } from './errors.js'
import { decode, encode, KEY_BYTES, newState, seal } from './exchange.js'
import type { Faults } from './faults.js'
import { createRecords, type Records, type Session } from './records.js'
import type { DeepLinkMethod } from './results.js'
import { createVault, type Vault } from './vault.js'
import type { Waiting } from './waiting.js'
import type { DeepLinkWallet } from './wallets.js'

/** What is sealed of a session. */
export interface Secrets {
  readonly key: Uint8Array
  /** The wallet's own; opaque. */
  readonly token: string
}
export interface Departure {
  readonly method: DeepLinkMethod
  /** Ours, of the exchange; base58. */
  readonly publicKey: string
  /** Kept, sealed, until the answer is here; a disconnect needs none, and leaves no key behind. */
  readonly secret: object | undefined
  /** Parameters of the address besides those of every request. */
  readonly parameters: Readonly<Record<string, string>>
}
export interface Link extends Records {
  readonly vault: Vault
  /** Of the session, as it was read last; the same object until it changes. */
  readonly accounts: readonly WalletAccount[]
  /** Reads the session: another tab may have begun or ended it. Without its key it is none. */
  restore(): Promise<(Session & Secrets) | undefined>
  /** The same when another tab may just have begun one: what it has stored is here a moment after its word of it. */
  arrive(signal: AbortSignal): Promise<void>
  begin(session: Omit<Session, 'sealed' | 'chain' | 'connectedAt'>, secrets: Secrets): Promise<void>
  /**
   * What another tab connected. At once, because the kernel hears of it from that tab too, and would end the attempt;
   * what is stored counts as soon as it is needed.
   */
  adopt(answer: unknown): void
  /** Everything that was kept goes (S4.4). @returns the session that there was */
  end(): Promise<(Session & Secrets) | undefined>
  /**
   * Leaves for the wallet. Settles if the answer comes while this page is still there, in another tab.
   *
   * @param go leaves the page; its promise never resolves
   */
  leave(
    departure: Departure,
    go: (url: string, state: string) => Promise<never>,
    signal?: AbortSignal,
  ): Promise<unknown>
  /** The same with the session's encryption. */
  send(
    session: Session & Secrets,
    method: DeepLinkMethod,
    content: { readonly secret: object | undefined; readonly payload: object },
  ): Promise<unknown>
}
export interface LinkParts {
  readonly kernel: Kernel
  readonly face: DeepLinkWallet
  readonly connectorId: string
  readonly mark: string
  readonly chain: IdentifierString
  readonly faults: Faults
  readonly waiting: Waiting
  readonly disposed: ErrorSpec
}

/**
 * A browser has a process for each tab, and what one of them stores comes to the others by a way of its own: a message can be
 * there before it. Longer than this, ms, it never takes.
 */
const STORED_WITHIN_MS = 1000

/** What each account can do. */
const FEATURES = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const
/** What a secret is sealed for: it opens for nothing else. */
export function aboutPending(method: string, state: string): string {
  return `${method} ${state}`
}

function aboutSession({ publicKey, address }: Pick<Session, 'publicKey' | 'address'>) {
  return `session ${publicKey} ${address}`
}

function readSecrets(value: unknown): Secrets | undefined {
  const { key, token } = Object(value)
  const bytes = decode(key, KEY_BYTES)
  return bytes && typeof token === 'string' ? { key: bytes, token } : undefined
}

export function createLink({ kernel, face, connectorId, mark, chain, faults, waiting, disposed }: LinkParts): Link {
  const { storage, config, clock } = kernel
  const vault = createVault(`${config.environmentId}:deep-link`, face.key)
  const records = createRecords(storage, face.key)
  const { pending, session } = records
  let accounts: readonly WalletAccount[] = []
  const show = (address: unknown) => {
    const publicKey = decode(address, KEY_BYTES)
    if (typeof address !== 'string' || !publicKey) accounts = []
    else if (accounts[0]?.address !== address)
      accounts = [Object.freeze({ address, publicKey, chains: [chain], features: FEATURES })]
  }
  const read = async () => {
    const stored = await session.get()
    const secrets =
      stored?.chain === chain ? readSecrets(await vault.open(stored.sealed, aboutSession(stored))) : undefined
    show(secrets && stored?.address)
    return stored && secrets && { ...stored, ...secrets }
  }
  const forget = () => Promise.all([pending.remove(), session.remove(), vault.forget()])
  /** A session that is about to go is nobody's any more. */
  let ending: Promise<unknown> = Promise.resolve()
  const restore = async () => {
    await ending
    return read()
  }
  const arrive: Link['arrive'] = async signal => {
    let isLate = false
    let wake = () => {}
    const look = () => wake()
    addEventListener('storage', look)
    signal.addEventListener('abort', look)
    const cancel = clock.after(STORED_WITHIN_MS, () => {
      isLate = true
      wake()
    })
    try {
      for (;;) {
        // Before it is read, so that nothing is missed in between.
        const changed = new Promise<void>(resolve => {
          wake = resolve
        })
        // No key: nobody has begun a session.
        if ((await restore()) || isLate || !(await vault.hasKey())) return
        signal.throwIfAborted()
        await changed
      }
    } finally {
      cancel()
      signal.removeEventListener('abort', look)
      removeEventListener('storage', look)
    }
  }
  const leave: Link['leave'] = async ({ method, publicKey, secret, parameters }, go, signal) => {
    const state = newState()
    const sealing = secret && vault.seal(secret, aboutPending(method, state))
    const sealed = await sealing?.catch(cause => {
      throw faults.of(deepLinkStorageBlocked, { cause })
    })
    if (!storage.persistent) throw faults.of(deepLinkStorageBlocked)
    signal?.throwIfAborted()
    await pending.set({ method, state, publicKey, sealed: sealed ?? '' })
    const url = new URL(method, face.baseUrl)
    const all = {
      dapp_encryption_public_key: publicKey,
      redirect_link: redirectLink(location.href, mark, state),
      ...parameters,
    }
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
    const answer = waiting.expect(state, signal)
    try {
      return await Promise.race([go(url.href, state), answer])
    } catch (error) {
      waiting.drop(state)
      // Nobody waits any more; but disposed, this page may be leaving right now. A newer request has its own record.
      if (faults.revive(error).code !== disposed.code && (await pending.get())?.state === state) await pending.remove()
      throw error
    }
  }
  return {
    ...records,
    vault,
    get accounts() {
      return accounts
    },
    restore,
    arrive,
    async begin(facts, { key, token }) {
      const sealed = await vault.seal({ key: encode(key), token }, aboutSession(facts))
      await session.set({ ...facts, chain, connectedAt: String(clock.now()), sealed })
      show(facts.address)
    },
    adopt(answer) {
      const [account]: readonly unknown[] = Array.isArray(answer) ? answer : []
      show(Reflect.get(Object(account), 'address'))
    },
    end() {
      const run = async () => {
        const session = await read()
        show(undefined)
        await forget()
        return session
      }
      const ended = run()
      ending = ended
      return ended
    },
    leave,
    send({ publicKey, key, token }, method, { secret, payload }) {
      const parameters = seal({ ...payload, session: token }, key)
      return leave({ method, publicKey, secret, parameters: { ...parameters } }, (url, state) =>
        kernel.redirect(url, { connectorId, method, state }),
      )
    },
  }
}
