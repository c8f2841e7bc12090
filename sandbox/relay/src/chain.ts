/** Address lookup tables and token mints, as finalized by the chain. */
import bs58 from 'bs58'
import * as v from 'valibot'
import type { Environment } from './environments.js'
import { RelayError } from './http/errors.js'
import { Refusal, type Tables, TOKEN, TOKEN_2022, type TokenRule } from './policy/index.js'

const PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
/** Header: kind 1, then the deactivation slot, which is all ones for an active table. */
const HEADER_BYTES = 56
const NEVER = 0xffff_ffff_ffff_ffffn
const TIMEOUT_MS = 5_000
/** A mint without extensions. Extensions of Token-2022 follow the kind of the account, which stands where no mint reaches. */
const MINT_BYTES = 82
const KIND_AT = 165
const MINT_KIND = 1
/**
 * Extensions that only describe a token: metadata, groups and their pointers. Every other kind can move tokens in a way
 * that a transfer doesn't say (hooks, fees, permanent delegates), change what an amount means, or close the mint.
 */
const DESCRIBING = { first: 18, last: 23 } as const

const account = v.nullable(v.object({ owner: v.string(), data: v.tuple([v.string(), v.literal('base64')]) }))
type Account = v.InferOutput<typeof account>
const answer = v.object({ result: v.object({ value: v.array(account) }) })

function addressesIn(data: Buffer): readonly string[] | undefined {
  if (data.length < HEADER_BYTES || (data.length - HEADER_BYTES) % 32 !== 0) return undefined
  if (data.readUInt32LE(0) !== 1 || data.readBigUInt64LE(4) !== NEVER) return undefined
  return Array.from({ length: (data.length - HEADER_BYTES) / 32 }, (_, index) =>
    data.toString('hex', HEADER_BYTES + index * 32, HEADER_BYTES + (index + 1) * 32),
  )
}

/** Returns true for extensions that all describe the token alone. */
function onlyDescribes(data: Buffer): boolean {
  if (data.length === MINT_BYTES) return true
  if (data.length <= KIND_AT || data[KIND_AT] !== MINT_KIND) return false
  for (let at = KIND_AT + 1; at + 4 <= data.length; at += 4 + data.readUInt16LE(at + 2)) {
    const kind = data.readUInt16LE(at)
    // The rest of the account is unused.
    if (kind === 0) break
    if (kind < DESCRIBING.first || kind > DESCRIBING.last) return false
  }
  return true
}

function isMintOf({ owner, data: [text] }: NonNullable<Account>, { decimals }: TokenRule): boolean {
  const data = Buffer.from(text, 'base64')
  const isSound = owner === TOKEN ? data.length === MINT_BYTES : owner === TOKEN_2022 && onlyDescribes(data)
  return isSound && data[44] === decimals && data[45] === 1
}

export const rpcChain = {
  /**
   * Checks that each token has these decimals, and that its transfers move what they say. None of it can change later:
   * such a mint cannot be closed, and gets no further extension that matters.
   *
   * @throws RelayError `invalid_request`, `rpc_unavailable`
   */
  async assertPlain({ rpcUrl }: Environment, tokens: readonly TokenRule[]): Promise<void> {
    if (tokens.length === 0) return
    const accounts = await getAccounts(
      rpcUrl,
      tokens.map(({ mint }) => mint),
    )
    const refused = tokens.find((token, index) => !(accounts[index] && isMintOf(accounts[index], token)))
    if (refused) throw new RelayError('invalid_request', { reason: 'token', address: refused.mint })
  },
  /** @param tables hex. @throws Refusal `lookup-table`; RelayError `rpc_unavailable` */
  async tables({ rpcUrl }: Environment, tables: readonly string[]): Promise<Tables> {
    if (tables.length === 0) return new Map()
    const addresses = tables.map(table => bs58.encode(Buffer.from(table, 'hex')))
    const accounts = await getAccounts(rpcUrl, addresses)
    return new Map(
      tables.map((table, index) => {
        const tableAccount = accounts[index]
        const addresses =
          tableAccount?.owner === PROGRAM ? addressesIn(Buffer.from(tableAccount.data[0], 'base64')) : undefined
        if (!addresses) throw new Refusal('lookup-table', { address: bs58.encode(Buffer.from(table, 'hex')) })
        return [table, addresses]
      }),
    )
  },
}

async function getAccounts(rpcUrl: string, addresses: readonly string[]): Promise<Account[]> {
  const params = [addresses, { commitment: 'finalized', encoding: 'base64' }]
  const request = { jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params }
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return v.parse(answer, await response.json()).result.value
  } catch {
    throw new RelayError('rpc_unavailable')
  }
}
