/** `KeybayError` and every code that the kernel declares. The modules differ by the chunks that import them. */
export * from './kernel-errors.js'
export * from './keybay-error.js'
export * from './wallet-errors.js'
