/** Checks the app's input before any request is sent. */
import { addressInvalid, destinationMissing, invalidTransaction, KeybayError } from '@keybay/kernel/spec'
import { isAddress } from '../address.js'
import { MAX_LAMPORTS } from '../decimal.js'
import { amountInvalid } from '../errors.js'
import type { SendInput } from '../steps.js'

export interface Order {
  readonly transfers: readonly { readonly to: string; readonly amount: bigint }[]
  /** Mint; undefined for SOL. */
  readonly token: string | undefined
}

function getTransfers(input: SendInput): Order {
  if ('transfers' in input) return { transfers: input.transfers, token: input.token }
  if ('token' in input) return { transfers: [{ to: input.to, amount: input.amount }], token: input.token }
  return { transfers: 'lamports' in input ? [{ to: input.to, amount: input.lamports }] : [], token: undefined }
}
/** @throws KeybayError `destination_missing` (S5.5), `address_invalid` (S5.4), `amount_invalid`, `invalid_transaction` */
export function getOrder(input: SendInput): Order {
  const order = getTransfers(input)
  const { instructions = [], from, feePayer, nonce, lookupTables = [], computeUnits } = input
  if (!order.transfers.length && !instructions.length) throw new KeybayError(destinationMissing)
  for (const { to } of order.transfers) if (!to) throw new KeybayError(destinationMissing)
  const addresses = [
    ...order.transfers.map(({ to }) => to),
    ...instructions.flatMap(({ program, accounts }) => [program, ...accounts.map(({ address }) => address)]),
    ...lookupTables,
    ...[from, feePayer, nonce?.account, nonce?.authority, order.token].filter(address => address !== undefined),
  ]
  if (!addresses.every(isAddress)) throw new KeybayError(addressInvalid)
  for (const { amount } of order.transfers)
    if (typeof amount !== 'bigint' || amount <= 0n || amount > MAX_LAMPORTS) throw new KeybayError(amountInvalid)
  if (computeUnits !== undefined && !(Number.isInteger(computeUnits) && computeUnits > 0 && computeUnits <= MAX_UNITS))
    throw new KeybayError(invalidTransaction, { details: { reason: `compute units are 1 to ${MAX_UNITS}` } })
  return order
}
/** Maximum compute units per transaction. */
export const MAX_UNITS = 1_400_000
