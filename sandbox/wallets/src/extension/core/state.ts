/** State of the extension. For the sandbox only: nothing is encrypted. */
import bs58 from 'bs58'
import { addr } from 'micro-eth-signer'
import nacl from 'tweetnacl'

/** User's account: a Solana key and an EVM key. */
export interface Account {
  /** Base58 of the 64-byte secret key. */
  readonly solana: string
  /** Hex of the 32-byte private key, with 0x. */
  readonly evm: string
}
export interface State {
  readonly accounts: readonly Account[]
  readonly active: number
  readonly locked: boolean
  /** Origins that may see the accounts. */
  readonly trusted: readonly string[]
  /** Active EVM chain. */
  readonly chainId: number
  /** EVM chains that the wallet knows. */
  readonly chains: readonly number[]
  /** EVM transactions. The sandbox has no EVM chain, so the wallet keeps them until they are “mined”. */
  readonly sent: readonly { readonly hash: string; readonly mined: boolean }[]
  /** Fate of EVM transactions: in a block, in a block but reverted, or never in a block. */
  readonly fate: Fate
}
export const FATES = ['done', 'undone', 'never'] as const
export type Fate = (typeof FATES)[number]
/** Reads and writes the whole state; one writer at a time. */
export interface StateStore {
  read(): Promise<State>
  update(change: (state: State) => Partial<State>): Promise<State>
}
export interface Area {
  get(): Promise<unknown>
  set(state: State): Promise<void>
}

export function newAccount(): Account {
  return { solana: bs58.encode(nacl.sign.keyPair().secretKey), evm: addr.random().privateKey }
}

function isState(value: unknown): value is State {
  return typeof value === 'object' && value !== null && 'accounts' in value && Array.isArray(value.accounts)
}

export function createStateStore(area: Area): StateStore {
  let queue: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const next = queue.then(run, run)
    queue = next
    return next
  }
  const read = async (): Promise<State> => {
    const stored = await area.get()
    if (isState(stored)) return stored
    const accounts = [newAccount(), newAccount()]
    const evm = { chainId: 1, chains: [1, 137], sent: [], fate: 'done' } as const
    const fresh: State = { accounts, active: 0, locked: false, trusted: [], ...evm }
    await area.set(fresh)
    return fresh
  }
  return {
    read: () => inTurn(read),
    update: change =>
      inTurn(async () => {
        const state = await read()
        const next = { ...state, ...change(state) }
        await area.set(next)
        return next
      }),
  }
}

/** Returns the addresses of the active account. */
export function getActive({ accounts, active }: State) {
  const keys = accounts[active]
  if (!keys) throw new RangeError(`There is no account ${active}`)
  const { publicKey } = nacl.sign.keyPair.fromSecretKey(bs58.decode(keys.solana))
  return { solana: bs58.encode(publicKey), evm: addr.fromPrivateKey(keys.evm), keys }
}
