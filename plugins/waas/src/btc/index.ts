/** `@keybay/waas/btc`: reads what a Bitcoin account signs from its PSBT. Frame and relay read it independently. */
export { psbtInvalid, taprootAddress, taprootKeyOf } from './address.js'
export { type Psbt, type PsbtOutput, readPsbt } from './psbt.js'
