/** `@keybay/waas/offline`: recovers the key from encrypted shares, and sweeps its funds, without any Keybay service. */
export { type OfflineArguments, offlineArguments, recoverOffline as recoverOfflineWith } from './arguments.js'
export { envelopesIn } from './envelopes.js'
export { recoverKeyHere as recoverKey, recoverOfflineHere as recoverOffline } from './here.js'
export { eraseKey, keyText, type RecoveredKey, type RecoveryInput } from './recover.js'
export { createRpc, type Rpc } from './rpc.js'
export { type Moved, type SweepInput, type Swept, sweep } from './sweep.js'
