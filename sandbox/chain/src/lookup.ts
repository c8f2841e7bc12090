import bs58 from 'bs58'
import type { LoadedAddresses } from './ledger.js'
import { LOOKUP_TABLE_HEADER } from './parsed/accounts.js'
import type { Vm } from './vm.js'
import type { Message } from './wire.js'

/** Returns the addresses that a message loads from lookup tables; omits missing ones, so that the VM refuses it. */
export function loadAddresses(vm: Vm, { addressTableLookups }: Message): LoadedAddresses {
  const writable: string[] = []
  const readonly: string[] = []
  for (const { accountKey, writableIndexes, readonlyIndexes } of addressTableLookups) {
    const data = vm.account(accountKey)?.data
    if (!data) continue
    const pick = (indexes: readonly number[]) =>
      indexes.flatMap(index => {
        const at = LOOKUP_TABLE_HEADER + 32 * index
        return at + 32 <= data.length ? [bs58.encode(data.subarray(at, at + 32))] : []
      })
    writable.push(...pick(writableIndexes))
    readonly.push(...pick(readonlyIndexes))
  }
  return { writable, readonly }
}
