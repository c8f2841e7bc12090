/**
 * `@keybay/kernel/spec`: the specification as typed constants and records. Look at enumerations.ts first; the error
 * files hold one constant per code. Nothing here is in the kernel's own bundle: import what you use.
 */
export type { Check, Rule, Rules } from './check.js'
export * from './constants.js'
export * from './custody-errors.js'
export * from './enumerations.js'
export * from './frame-errors.js'
export { type Hosts, hostsOf, missingHost, type Stage, type StageHosts, stageOf } from './hosts.js'
export * from './message-errors.js'
export * from './payloads.js'
export * from './records.js'
export * from './server-errors.js'
export * from './social-errors.js'
export {
  checkSolanaNetwork,
  type NativeCurrency,
  type SolanaNetwork,
  solanaNetworksProblem,
} from './solana-network.js'
export * from './validation-errors.js'
export { withValues } from './with-values.js'
