/** Solana for Keybay. Look at `plugin.ts` first, then `api.ts`; `transaction/pipeline.ts` is how a transfer goes. */
export { checkAddress } from './address.js'
export { formatSol, parseSol } from './amount.js'
export type { SolanaApi, SolanaEngine, SolanaSteps } from './api.js'
export { isAddress } from './base58.js'
export { chainOf } from './chain.js'
export type { Endpoint, EndpointOptions } from './client.js'
export {
  amountInvalid,
  destinationNeedsRent,
  feeUnknown,
  rpcMalformed,
  rpcRefused,
  rpcUnreachable,
} from './errors.js'
export type { Cluster, NetworkOptions, NetworkSummary, SolanaNetworks } from './networks.js'
export { type SolanaOptions, solana } from './plugin.js'
export type {
  BuiltTransaction,
  CallOptions,
  Commitment,
  Confirmation,
  ConfirmOptions,
  PricedTransaction,
  RunOptions,
  SendTransactionOptions,
  SignedTransaction,
  SolanaConnection,
  TransactionStep,
  Transfer,
  TransferInput,
} from './steps.js'
