/** Solana for Keybay. Read `plugin.ts` first, then `api.ts`; `transaction/pipeline.ts` runs a transfer. */
export { checkAddress, isAddress } from './address.js'
export { formatAmount, formatSol, parseAmount, parseSol } from './amount.js'
export type { SolanaApi, SolanaEngine, SolanaSteps } from './api.js'
export { chainOf } from './chain.js'
export type { Endpoint, EndpointOptions } from './client.js'
export {
  amountInvalid,
  destinationNeedsRent,
  feeUnknown,
  rpcMalformed,
  rpcRefused,
  rpcUnreachable,
  rpcUrlInvalid,
  rpcWrongNetwork,
} from './errors.js'
export type { Instruction, InstructionAccount } from './instruction.js'
export type { Cluster, NetworkOptions, NetworkSummary, SolanaNetworks } from './networks.js'
export { type SolanaOptions, solana } from './plugin.js'
export type * from './steps.js'
