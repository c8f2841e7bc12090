/** `@keybay/waas/evm`: reads and hashes what an Ethereum account signs. Pure. Read `typed-data.ts` first. */
export { checksummed, evmAddress, evmInvalid, personalDigest, toHex } from './address.js'
export { type EvmTransaction, readEvmTransaction } from './transaction.js'
export { readTypedData, type TypedData, type TypedNode } from './typed-data.js'
