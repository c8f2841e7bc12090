/**
 * PSBTs (BIP 174 and 370) with inputs of one taproot account, spent by the key (BIP 341), alone or together with others'. The
 * sighashes of its own inputs are made here, of what the PSBT says. Each covers all inputs and outputs, with every amount and every
 * script that is spent: one that lies about any of them, also about which inputs are the account's, makes a signature that no node takes.
 */
import { Address, NETWORK, OutScript, Transaction } from '@scure/btc-signer'
import { concatBytes, equalBytes } from '@scure/btc-signer/utils.js'
import { invalid } from './errors.js'

export interface PsbtOutput {
  /** On the main network; undefined for a script that has none. */
  readonly address: string | undefined
  readonly script: Uint8Array
  /** satoshi */
  readonly amount: bigint
  /** Back to the account itself. */
  readonly isOwn: boolean
}
export interface Psbt {
  /** Of each of the account's inputs in their order, 32 bytes: BIP 341's for SIGHASH_DEFAULT. */
  readonly sighashes: readonly Uint8Array[]
  /** What the account's inputs hold, satoshi. */
  readonly own: bigint
  /** What each of the others' inputs holds, satoshi; none of them is signed here. */
  readonly others: readonly bigint[]
  readonly outputs: readonly PsbtOutput[]
  /** Of all inputs together, satoshi. */
  readonly fee: bigint
  /** Block, or seconds since epoch, before which no node takes it; 0: none. */
  readonly lockTime: number
  /** The same with its signatures, one for each of the account's inputs, 64 bytes each. Others' stay as they are. */
  readonly withSignatures: (signatures: readonly Uint8Array[]) => Uint8Array
}

/** Of the account, and of all together. */
const [MOST_OWN, MOST_INPUTS] = [32, 256]
const DEFAULT = 0

function scriptOf(outputKey: Uint8Array): Uint8Array {
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
    // Outputs may pay to anything, and what is not known is shown as such.
    return Transaction.fromPSBT(bytes, { allowUnknownOutputs: true })
  } catch {
    throw invalid('no PSBT')
  }
}

function indexes(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index)
}

/** What an input spends; BIP 341 needs it of every input, whoever signs. */
function spentBy(transaction: Transaction, index: number): { readonly amount: bigint; readonly script: Uint8Array } {
  const { witnessUtxo, nonWitnessUtxo, index: output = 0 } = transaction.getInput(index)
  // The whole transaction before it: that its hash is the input's was checked as it was read.
  const spent = witnessUtxo ?? nonWitnessUtxo?.outputs[output]
  if (!spent) throw invalid(`input ${index + 1}: without what it spends`)
  return spent
}
/** That nobody has signed it in another way, or wants it signed so. */
function assertPlain(transaction: Transaction, index: number): void {
  const input = transaction.getInput(index)
  const { sighashType = DEFAULT, tapLeafScript, tapMerkleRoot, tapKeySig, finalScriptWitness } = input
  // Any other type leaves something of the transaction open.
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
  const own = scriptOf(outputKey)
  const { inputsLength, outputsLength, lockTime } = transaction
  if (inputsLength < 1 || inputsLength > MOST_INPUTS || outputsLength < 1) throw invalid('inputs or outputs')
  const spent = indexes(inputsLength).map(index => spentBy(transaction, index))
  const isOwn = (index: number): boolean => equalBytes(spent[index]?.script ?? new Uint8Array(), own)
  const mine = indexes(inputsLength).filter(isOwn)
  if (mine.length === 0) throw invalid('no input of this account')
  if (mine.length > MOST_OWN) throw invalid('inputs or outputs')
  for (const index of mine) assertPlain(transaction, index)
  const outputs = indexes(outputsLength).map((index): PsbtOutput => {
    const { script, amount } = transaction.getOutput(index)
    if (!script || amount === undefined) throw invalid(`output ${index + 1}`)
    return { address: addressOf(script), script, amount, isOwn: equalBytes(script, own) }
  })
  const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n)
  const amounts = spent.map(({ amount }) => amount)
  const scripts = spent.map(({ script }) => script)
  const fee = sum(amounts) - sum(outputs.map(({ amount }) => amount))
  if (fee < 0n) throw invalid('it pays more than it has')
  return {
    sighashes: mine.map(index => transaction.preimageWitnessV1(index, scripts, DEFAULT, amounts)),
    own: sum(amounts.filter((_, index) => isOwn(index))),
    others: amounts.filter((_, index) => !isOwn(index)),
    outputs,
    fee,
    lockTime,
    withSignatures(signatures) {
      for (const [place, tapKeySig] of signatures.entries())
        transaction.updateInput(mine[place] ?? inputsLength, { tapKeySig }, true)
      return transaction.toPSBT()
    },
  }
}
