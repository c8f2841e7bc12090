import { addressInvalid, KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import { isAddress } from './address.js'
import type { Client } from './client.js'
import { amountInvalid } from './errors.js'
import { requestAirdrop } from './rpc/calls.js'
import type { ConfirmOptions } from './steps.js'

/** @returns the signature, before the coins arrive */
export async function airdrop(
  { record, rpc }: Client,
  address: string,
  lamports: bigint,
  { commitment = 'confirmed', signal }: ConfirmOptions,
): Promise<string> {
  if (!record.isTestnet) throw new KeybayError(unsupportedChain, { details: { networkId: record.networkId } })
  if (!isAddress(address)) throw new KeybayError(addressInvalid)
  // Must fit a JSON number; no faucet gives more.
  if (lamports <= 0n || lamports > BigInt(Number.MAX_SAFE_INTEGER)) throw new KeybayError(amountInvalid)
  return requestAirdrop(rpc, address, Number(lamports), commitment, { signal })
}
