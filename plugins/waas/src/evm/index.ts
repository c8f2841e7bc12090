/** `@keybay/waas/evm`: reads and hashes what an Ethereum account signs. Pure. Read `typed-data.ts` first. */
export { evmAddress } from './address.js'
export { evmInvalid } from './errors.js'
export { toHex } from './hex.js'
export { personalDigest } from './message.js'
export { type EvmTransaction, readEvmTransaction } from './transaction.js'
export { readTypedData, type TypedData, type TypedNode } from './typed-data.js'
