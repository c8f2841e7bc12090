/** `@keybay/waas/btc`: what a Bitcoin account signs, read from its PSBT. Pure; frame and relay each read it for themselves. */
export { taprootAddress, taprootKeyOf } from './address.js'
export { psbtInvalid } from './errors.js'
export { type Psbt, type PsbtOutput, readPsbt } from './psbt.js'
