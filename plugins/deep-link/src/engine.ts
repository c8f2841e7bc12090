/** One wallet's connector, as it loads with the first call: leaving for the wallet, and coming back. */
import type { ConnectContext, Kernel, ResumeContext } from '@keybay/kernel'
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base'
import { type Answer, cleanAddress, readAnswer } from './address.js'
import { deepLinkAnswerInvalid, deepLinkSessionEnded } from './errors.js'
import { decode, encode, KEY_BYTES, newPair, open, sharedKey } from './exchange.js'
import { createFaults, type KernelErrors } from './faults.js'
import { aboutPending, createLink } from './link.js'
import { isSigning, METHODS } from './methods.js'
import type { Pending } from './records.js'
import { createSigning } from './signing.js'
import { createWaiting } from './waiting.js'
import type { DeepLinkWallet } from './wallets.js'

/** The lazy half of a connector. */
export interface Engine {
  readonly wallet: Wallet
  connect(ctx: ConnectContext): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
  resume(url: URL, ctx: ResumeContext): Promise<unknown>
}
export interface EngineOptions {
  readonly connectorId: string
  /** How an address begins its own part that is a return to this wallet, e.g. `keybay_return=phantom.` */
  readonly mark: string
  /** As the protocol names it, e.g. `mainnet-beta`. */
  readonly cluster: string
  readonly chain: IdentifierString
  readonly appUrl: string | undefined
}
/** The longest session token that is kept, characters. */
const LONGEST_TOKEN = 8192
type Listener = (change: { readonly accounts: readonly WalletAccount[] }) => void

function createEngine(
  kernel: Kernel,
  face: DeepLinkWallet,
  { connectorId, mark, cluster, chain, appUrl }: EngineOptions,
  errors: KernelErrors,
): Engine {
  const [, , , userRejected, redirectUnexpected, accountNotFound, configInvalid, aborted, disposed] = errors
  const { name, icon, signMessageDelay = 0 } = face
  const faults = createFaults(errors, connectorId)
  const waiting = createWaiting(kernel.tabs, {
    left: () => faults.of(userRejected),
    replaced: () => faults.of(aborted),
    revive: faults.revive,
  })
  kernel.onDispose(() => waiting.stop(faults.of(disposed)))
  const link = createLink({ kernel, face, connectorId, mark, chain, faults, waiting, disposed })
  const signing = createSigning({ link, clock: kernel.clock, signMessageDelay, faults, accountNotFound, configInvalid })
  const listeners = new Set<Listener>()
  const invalid = () => faults.of(deepLinkAnswerInvalid)

  const connected = async ({ data, nonce, publicKey }: Answer, { publicKey: ours }: Pending, secret: unknown) => {
    const theirs = decode(publicKey, KEY_BYTES)
    const secretKey = decode(Reflect.get(Object(secret), 'secretKey'), KEY_BYTES)
    const key = theirs && secretKey && sharedKey(theirs, secretKey)
    const { public_key: address, session: token } = Object(key && open(data, nonce, key))
    const sound = typeof token === 'string' && token && token.length <= LONGEST_TOKEN
    if (!key || !sound || typeof address !== 'string' || !decode(address, KEY_BYTES)) throw invalid()
    await link.begin({ publicKey: ours, address }, { key, token })
    return link.accounts
  }
  const signed = async ({ data, nonce }: Answer, { method, publicKey }: Pending, secret: unknown) => {
    const session = await link.restore()
    // Ended, or begun anew, while the user was away.
    if (session?.publicKey !== publicKey) throw faults.of(deepLinkSessionEnded)
    const signer = decode(session.address, KEY_BYTES)
    const inputs: unknown = Reflect.get(Object(secret), 'inputs')
    const answer = open(data, nonce, session.key)
    const result =
      isSigning(method) && signer && Array.isArray(inputs) && METHODS[method].read(Object(answer), inputs, signer)
    if (!result) throw invalid()
    return result
  }
  const finish = async (answer: Answer, pending: Pending): Promise<unknown> => {
    const { errorCode, errorMessage } = answer
    const { method, state, sealed } = pending
    if (errorCode !== undefined) {
      const error = faults.ofWallet(errorCode, errorMessage)
      if (error.code === deepLinkSessionEnded.code && isSigning(method)) await forgotten()
      throw error
    }
    if (method === 'disconnect') return undefined // no parameters come back
    const secret = await link.vault.open(sealed, aboutPending(method, state))
    if (!secret) throw faults.of(deepLinkSessionEnded)
    return method === 'connect' ? connected(answer, pending, secret) : signed(answer, pending, secret)
  }
  /** The wallet does not know us any more. */
  const forgotten = async () => {
    await link.end()
    for (const listener of listeners) listener({ accounts: [] })
  }
  return {
    wallet: {
      version: '1.0.0',
      name,
      icon,
      chains: [chain],
      get accounts() {
        return link.accounts
      },
      features: {
        ...signing,
        'standard:events': {
          version: '1.0.0',
          on(_event: 'change', listener: Listener) {
            listeners.add(listener)
            return () => listeners.delete(listener)
          },
        },
      },
    },
    async connect({ signal, silent, redirect }) {
      signal.throwIfAborted()
      if (silent) await link.arrive(signal)
      else {
        const pair = newPair()
        const departure = {
          method: 'connect',
          publicKey: encode(pair.publicKey),
          secret: { secretKey: encode(pair.secretKey) },
          parameters: { app_url: appUrl ?? location.origin, cluster },
        } as const
        link.adopt(await link.leave(departure, redirect, signal))
      }
      return link.accounts
    },
    async disconnect() {
      const session = await link.end()
      // The wallet is told last: whether it answers changes nothing here.
      if (session) await link.send(session, 'disconnect', { secret: undefined, payload: {} })
    },
    async resume(url, { attempt }) {
      cleanAddress(mark)
      const answer = readAnswer(url, mark, face.key)
      const pending = await link.pending.take(answer.state)
      if (!attempt || !pending || pending.method !== attempt.method) throw faults.of(redirectUnexpected)
      try {
        const result = await finish(answer, pending)
        waiting.tell(pending.state, { result })
        return result
      } catch (error) {
        waiting.tell(pending.state, { error: faults.revive(error).toJSON() })
        throw error
      }
    },
  }
}

const engines = new WeakMap<Kernel, Map<string, Engine>>()
/** The one engine of an instance and a wallet, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(kernel: Kernel, face: DeepLinkWallet, options: EngineOptions, errors: KernelErrors): Engine {
  const all = engines.get(kernel) ?? new Map<string, Engine>()
  engines.set(kernel, all)
  const engine = all.get(face.key) ?? createEngine(kernel, face, options, errors)
  all.set(face.key, engine)
  return engine
}
