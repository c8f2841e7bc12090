/**
 * Asks the Solana node of the environment. Its responses are untrusted: they add to what the window shows, and replace
 * nothing that the frame reads from the transaction itself.
 */
import { fromBase64 } from '@keybay/kernel/spec'
import bs58 from 'bs58'
import * as v from 'valibot'
import { TOKEN } from './programs.js'

export type Rpc = ReturnType<typeof createRpc>

/** @param signal ends every request, also one whose response is incomplete */
export function createRpc(url: string, signal: AbortSignal) {
  return async <S extends v.GenericSchema>(method: string, params: readonly unknown[], result: S) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      credentials: 'omit',
      redirect: 'error',
      signal,
    })
    const answer: unknown = await response.json()
    const { success, output } = v.safeParse(result, Reflect.get(Object(answer), 'result'))
    if (!success) throw new TypeError(`The node answers ${method} with something else.`)
    return output
  }
}

const account = v.nullish(
  v.object({
    lamports: v.pipe(v.number(), v.integer(), v.minValue(0)),
    owner: v.string(),
    data: v.pipe(v.array(v.string()), v.minLength(1)),
  }),
)
export const accounts = v.array(account)
export type ChainAccount = v.InferOutput<typeof account>

const [TOKEN_BYTES, MINT_BYTES] = [165, 82] as const
/** Kind of an account with extensions, at the byte after the longest account without. */
const [KIND_AT, MINT_KIND, TOKEN_KIND] = [165, 1, 2] as const

function readData(chainAccount: ChainAccount, bytes: number, kind: number): DataView | undefined {
  if (!chainAccount || !TOKEN.has(chainAccount.owner)) return undefined
  const data = fromBase64(chainAccount.data[0] ?? '')
  const fits = data.length === bytes || (data.length > KIND_AT && data[KIND_AT] === kind)
  return fits ? new DataView(data.buffer, data.byteOffset, data.byteLength) : undefined
}

export interface TokenAccount {
  readonly program: string
  readonly mint: string
  readonly owner: string
  /** In the token's smallest unit. */
  readonly amount: bigint
}

/** Returns undefined for an account that holds no token. */
export function readTokenAccount(chainAccount: ChainAccount): TokenAccount | undefined {
  const data = readData(chainAccount, TOKEN_BYTES, TOKEN_KIND)
  if (!data || !chainAccount) return undefined
  const key = (at: number) => bs58.encode(new Uint8Array(data.buffer, data.byteOffset + at, 32))
  return { program: chainAccount.owner, mint: key(0), owner: key(32), amount: data.getBigUint64(64, true) }
}

/** Returns undefined for an account that is no mint. */
export function readDecimals(chainAccount: ChainAccount): number | undefined {
  return readData(chainAccount, MINT_BYTES, MINT_KIND)?.getUint8(44)
}
