/**
 * `@keybay/waas/evm`: what an Ethereum account signs, read from its bytes and hashed. Pure; the frame shows what these say and the relay
 * decides by them. Look at `typed-data.ts` first.
 */
export { evmAddress } from './address.js'
export { evmInvalid } from './errors.js'
export { toHex } from './hex.js'
export { personalDigest } from './message.js'
export { type EvmTransaction, readEvmTransaction } from './transaction.js'
export { readTypedData, type TypedData, type TypedNode } from './typed-data.js'
