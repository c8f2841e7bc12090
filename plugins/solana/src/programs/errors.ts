/** Names of program error numbers: the index is the number. The chain names other failures. */
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js'

/** solana-system-interface, SystemError */
const SYSTEM =
  'AccountAlreadyInUse ResultWithNegativeLamports InvalidProgramId InvalidAccountDataLength MaxSeedLengthExceeded AddressWithSeedMismatch NonceNoRecentBlockhashes NonceBlockhashNotExpired NonceUnexpectedBlockhashValue'
/** spl-token-interface, TokenError */
const TOKEN =
  'NotRentExempt InsufficientFunds InvalidMint MintMismatch OwnerMismatch FixedSupply AlreadyInUse InvalidNumberOfProvidedSigners InvalidNumberOfRequiredSigners UninitializedState NativeNotSupported NonNativeHasBalance InvalidInstruction InvalidState Overflow AuthorityTypeNotSupported MintCannotFreeze AccountFrozen MintDecimalsMismatch NonNativeNotSupported'
/** spl-token-2022-interface, TokenError: those of spl-token-interface, plus these. */
const TOKEN_2022 =
  'ExtensionTypeMismatch ExtensionBaseMismatch ExtensionAlreadyInitialized ConfidentialTransferAccountHasBalance ConfidentialTransferAccountNotApproved ConfidentialTransferDepositsAndTransfersDisabled ConfidentialTransferElGamalPubkeyMismatch ConfidentialTransferBalanceMismatch MintHasSupply NoAuthorityExists TransferFeeExceedsMaximum MintRequiredForTransfer FeeMismatch FeeParametersMismatch ImmutableOwner AccountHasWithheldTransferFees NoMemo NonTransferable NonTransferableNeedsImmutableOwnership MaximumPendingBalanceCreditCounterExceeded MaximumDepositAmountExceeded CpiGuardSettingsLocked CpiGuardTransferBlocked CpiGuardBurnBlocked CpiGuardCloseAccountBlocked CpiGuardApproveBlocked CpiGuardSetAuthorityBlocked CpiGuardOwnerChangeBlocked ExtensionNotFound NonConfidentialTransfersDisabled ConfidentialTransferFeeAccountHasWithheldFee InvalidExtensionCombination InvalidLengthForAlloc AccountDecryption ProofGeneration InvalidProofInstructionOffset HarvestToMintDisabled SplitProofContextStateAccountsNotSupported NotEnoughProofContextStateAccounts MalformedCiphertext CiphertextArithmeticFailed PedersenCommitmentMismatch RangeProofLengthMismatch IllegalBitLength FeeCalculation IllegalMintBurnConversion InvalidScale MintPaused PendingBalanceNonZero'
/** spl-associated-token-account-interface */
const ASSOCIATED = 'InvalidOwner'

const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  [SYSTEM_PROGRAM, SYSTEM.split(' ')],
  [TOKEN_PROGRAM, TOKEN.split(' ')],
  [TOKEN_2022_PROGRAM, `${TOKEN} ${TOKEN_2022}`.split(' ')],
  [ASSOCIATED_TOKEN_PROGRAM, ASSOCIATED.split(' ')],
])
/** Explanations of error names that are unclear to a user. */
const MEANINGS: Readonly<Record<string, string>> = {
  AccountAlreadyInUse: 'the account is already in use',
  ResultWithNegativeLamports: 'the account does not hold enough lamports',
  InvalidProgramId: 'the program may not own the account',
  InvalidAccountDataLength: 'the account data would be too long',
  MaxSeedLengthExceeded: 'the seed is too long',
  AddressWithSeedMismatch: 'the address does not fit its seed',
  NonceUnexpectedBlockhashValue: 'the nonce has moved on',
  NonceBlockhashNotExpired: 'the nonce moved on in this very block',
  NotRentExempt: 'the account would hold too little to be kept by the chain',
  InsufficientFunds: 'the account does not hold enough tokens',
  OwnerMismatch: 'the account belongs to someone else',
  MintMismatch: 'the account is for another token',
  AccountFrozen: 'the token account is frozen',
  NoMemo: 'the receiver asks for a note',
  NonTransferable: 'the token cannot be transferred',
  MintPaused: 'the token is paused',
  InvalidOwner: 'the associated account has another owner',
}
/** `FundsFewer` → `funds fewer` */
export function words(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

export function programErrorName(program: string | undefined, custom: number): string | undefined {
  return NAMES.get(program ?? '')?.[custom]
}

export function getMeaning(name: string): string {
  return MEANINGS[name] ?? words(name)
}
