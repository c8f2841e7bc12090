/**
 * Reads PSBTs (BIP 174 and 370) with inputs of one taproot account, spent by its key (BIP 341), and computes their
 * sighashes. Each covers every amount and script, so that a PSBT that lies leads to a signature that no node accepts.
 */
import { Address, NETWORK, OutScript, Transaction } from '@scure/btc-signer'
import { concatBytes, equalBytes } from '@scure/btc-signer/utils.js'
import { invalid } from './address.js'

export interface PsbtOutput {
  /** On the main network; undefined for a script without an address. */
  readonly address: string | undefined
  readonly script: Uint8Array
  /** satoshi */
  readonly amount: bigint
  /** True if it pays back to the account. */
  readonly isOwn: boolean
}
export interface Psbt {
  /** For each of the account's inputs in their order, 32 bytes: BIP 341's sighash for SIGHASH_DEFAULT. */
  readonly sighashes: readonly Uint8Array[]
  /** Total of the account's inputs, in satoshi. */
  readonly own: bigint
  /** Amount of each input of other parties, in satoshi; this account signs none of them. */
  readonly others: readonly bigint[]
  readonly outputs: readonly PsbtOutput[]
  /** Sum of all inputs, in satoshi. */
  readonly fee: bigint
  /** Block, or seconds since epoch, before which no node accepts it; 0: none. */
  readonly lockTime: number
  /** Returns the PSBT with one 64-byte signature for each of the account's inputs. Other inputs stay as they are. */
  readonly withSignatures: (signatures: readonly Uint8Array[]) => Uint8Array
}

/** The account's inputs, and the total of all inputs. */
const [MAX_OWN_INPUTS, MAX_INPUTS] = [32, 256]
const DEFAULT = 0

function getScript(outputKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x51, 0x20), outputKey)
}

function addressOf(script: Uint8Array): string | undefined {
  try {
    return Address(NETWORK).encode(OutScript.decode(script))
  } catch {
    return undefined
  }
}

function parse(bytes: Uint8Array): Transaction {
  try {
    // Outputs may pay to any script; an unknown script is shown as such.
    return Transaction.fromPSBT(bytes, { allowUnknownOutputs: true })
  } catch {
    throw invalid('no PSBT')
  }
}

function indexes(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index)
}

/** Returns the output that an input spends. BIP 341 needs it for every input, also for inputs of other signers. */
function spentBy(transaction: Transaction, index: number): { readonly amount: bigint; readonly script: Uint8Array } {
  const { witnessUtxo, nonWitnessUtxo, index: output = 0 } = transaction.getInput(index)
  // The whole previous transaction. The parser has checked that its hash is the input's.
  const spent = witnessUtxo ?? nonWitnessUtxo?.outputs[output]
  if (!spent) throw invalid(`input ${index + 1}: without what it spends`)
  return spent
}
/** Refuses an input that is signed, or to be signed, in another way. */
function assertPlain(transaction: Transaction, index: number): void {
  const input = transaction.getInput(index)
  const { sighashType = DEFAULT, tapLeafScript, tapMerkleRoot, tapKeySig, finalScriptWitness } = input
  // Any other sighash type leaves a part of the transaction open.
  if (sighashType !== DEFAULT) throw invalid(`input ${index + 1}: sighash type`)
  if (tapLeafScript || tapMerkleRoot) throw invalid(`input ${index + 1}: scripts`)
  if (tapKeySig || finalScriptWitness) throw invalid(`input ${index + 1}: signed already`)
}

/**
 * @param outputKey of the account, 32 bytes
 * @throws KeybayError `psbt_invalid`
 * @example readPsbt(bytes, taprootKeyOf(address)).fee // 1230n
 */
export function readPsbt(bytes: Uint8Array, outputKey: Uint8Array): Psbt {
  const transaction = parse(bytes)
  const ownScript = getScript(outputKey)
  const { inputsLength, outputsLength, lockTime } = transaction
  if (inputsLength < 1 || inputsLength > MAX_INPUTS || outputsLength < 1) throw invalid('inputs or outputs')
  const spent = indexes(inputsLength).map(index => spentBy(transaction, index))
  const isOwn = (index: number): boolean => equalBytes(spent[index]?.script ?? new Uint8Array(), ownScript)
  const ownIndexes = indexes(inputsLength).filter(isOwn)
  if (ownIndexes.length === 0) throw invalid('no input of this account')
  if (ownIndexes.length > MAX_OWN_INPUTS) throw invalid('inputs or outputs')
  for (const index of ownIndexes) assertPlain(transaction, index)
  const outputs = indexes(outputsLength).map((index): PsbtOutput => {
    const { script, amount } = transaction.getOutput(index)
    if (!script || amount === undefined) throw invalid(`output ${index + 1}`)
    return { address: addressOf(script), script, amount, isOwn: equalBytes(script, ownScript) }
  })
  const sum = (all: readonly bigint[]): bigint => all.reduce((total, amount) => total + amount, 0n)
  const amounts = spent.map(({ amount }) => amount)
  const scripts = spent.map(({ script }) => script)
  const fee = sum(amounts) - sum(outputs.map(({ amount }) => amount))
  if (fee < 0n) throw invalid('it pays more than it has')
  return {
    sighashes: ownIndexes.map(index => transaction.preimageWitnessV1(index, scripts, DEFAULT, amounts)),
    own: sum(amounts.filter((_, index) => isOwn(index))),
    others: amounts.filter((_, index) => !isOwn(index)),
    outputs,
    fee,
    lockTime,
    withSignatures(signatures) {
      for (const [place, tapKeySig] of signatures.entries())
        transaction.updateInput(ownIndexes[place] ?? inputsLength, { tapKeySig }, true)
      return transaction.toPSBT()
    },
  }
}
