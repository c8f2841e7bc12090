/** `@keybay/waas/btc`: reads what a Bitcoin account signs from its PSBT. Frame and relay read it independently. */
export { taprootAddress, taprootKeyOf } from './address.js'
export { psbtInvalid } from './errors.js'
export { type Psbt, type PsbtOutput, readPsbt } from './psbt.js'
