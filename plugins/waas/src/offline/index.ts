/** `@keybay/waas/offline`: the key from encrypted parts, and everything it has to another address, without any service of ours. */
export { type OfflineArguments, offlineArguments, recoverOffline as recoverOfflineWith } from './arguments.js'
export { envelopesIn } from './envelopes.js'
export { recoverKeyHere as recoverKey, recoverOfflineHere as recoverOffline } from './here.js'
export { eraseKey, keyText, type RecoveredKey, type RecoveryInput } from './recover.js'
export { createRpc, type Rpc } from './rpc.js'
export { type Moved, type SweepInput, type Swept, sweep } from './sweep.js'
