/**
 * `@keybay/kernel/spec`: errors, enumerations, constants and records of the specification, bytes and the clock. It
 * imports no other package and nothing from the kernel, so services, frames and lazy chunks can import it freely.
 */
export * from './bytes.js'
export type { Check, Rule, Rules } from './check.js'
export { type Clock, systemClock } from './clock.js'
export * from './constants.js'
export * from './custody-errors.js'
export * from './enumerations.js'
export * from './errors.js'
export * from './frame-errors.js'
export { type Hosts, hostsOf, missingHost, type Stage, type StageHosts, stageOf } from './hosts.js'
export * from './message-errors.js'
export * from './payloads.js'
export * from './records.js'
export { redact } from './redact.js'
export { redactText } from './redact-text.js'
export * from './server-errors.js'
export { field, hasShape } from './shape.js'
export * from './social-errors.js'
export * from './solana-network.js'
export * from './validation-errors.js'
export { withValues } from './with-values.js'
