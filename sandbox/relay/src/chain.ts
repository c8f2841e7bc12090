/** Address lookup tables, as finalized by the chain. */
import bs58 from 'bs58'
import * as v from 'valibot'
import type { Environment } from './environments.js'
import { RelayError } from './http/errors.js'
import { Refusal, type Tables } from './policy/index.js'

const PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
/** Header: kind 1, then the deactivation slot, which is all ones for an active table. */
const HEADER_BYTES = 56
const NEVER = 0xffff_ffff_ffff_ffffn
const TIMEOUT_MS = 5_000

const account = v.nullable(v.object({ owner: v.string(), data: v.tuple([v.string(), v.literal('base64')]) }))
const answer = v.object({ result: v.object({ value: v.array(account) }) })

function addressesIn(data: Buffer): readonly string[] | undefined {
  if (data.length < HEADER_BYTES || (data.length - HEADER_BYTES) % 32 !== 0) return undefined
  if (data.readUInt32LE(0) !== 1 || data.readBigUInt64LE(4) !== NEVER) return undefined
  return Array.from({ length: (data.length - HEADER_BYTES) / 32 }, (_, index) =>
    data.toString('hex', HEADER_BYTES + index * 32, HEADER_BYTES + (index + 1) * 32),
  )
}

export const rpcChain = {
  /** @param tables hex. @throws Refusal `lookup-table`; RelayError `rpc_unavailable` */
  async tables({ rpcUrl }: Environment, tables: readonly string[]): Promise<Tables> {
    if (tables.length === 0) return new Map()
    const addresses = tables.map(table => bs58.encode(Buffer.from(table, 'hex')))
    const params = [addresses, { commitment: 'finalized', encoding: 'base64' }]
    const accounts = await ask(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params })
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

async function ask(rpcUrl: string, request: object): Promise<v.InferOutput<typeof account>[]> {
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
