/**
 * Runs build → fee → sign → send → confirm, and emits each step (S4.5); each step is also callable. Loads with the first
 * transaction.
 */
import type { Kernel } from '@keybay/kernel'
import {
  invalidTransaction,
  KeybayError,
  sendIncomplete,
  signerNotFound,
  toKeybayError,
  unsupportedChain,
} from '@keybay/kernel/spec'
import type { SolanaEngine, SolanaSteps } from '../api.js'
import type { Client, Clients, EngineOptions } from '../client.js'
import { rpcUnreachable } from '../errors.js'
import type { SolanaNetworks } from '../networks.js'
import { createNodes } from '../nodes.js'
import type { OwnNodes } from '../own-nodes.js'
import { patient } from '../rpc/patient.js'
import type {
  BuiltTransaction,
  Confirmation,
  PreviewOptions,
  RunOptions,
  SendInput,
  SignedTransaction,
  TransactionStep,
} from '../steps.js'
import { getTokenAccounts } from '../tokens.js'
import { buildTransaction } from './build.js'
import { confirmTransaction } from './confirm.js'
import { priceTransaction } from './fee.js'
import { optimizeTransaction } from './optimize.js'
import { getOrder } from './order.js'
import { createRecentFees } from './priority.js'
import { createSameness } from './sameness.js'
import { activeAddress, findAccount, signTransaction } from './sign.js'
import { simulate } from './simulate.js'
import { submitTransaction } from './submit.js'
import { createTransactionLog } from './transactions.js'
import { readTransaction } from './wire.js'

export interface Pipeline extends Pick<SolanaEngine, 'send' | 'sendTransaction'> {
  readonly steps: SolanaSteps
}
type Told<S = TransactionStep> = S extends TransactionStep ? Omit<S, 'id'> : never

export function createPipeline(
  kernel: Kernel,
  clients: Clients,
  networks: SolanaNetworks,
  nodes: OwnNodes,
  options: EngineOptions,
): Pipeline {
  const { clock } = kernel.config
  const memory = { countSame: createSameness(clock), recentFees: createRecentFees(clock) }
  let runs = 0

  const getNetwork = (networkId: number) => {
    const network = networks.list().find(one => one.networkId === networkId)
    if (!network) throw new KeybayError(unsupportedChain, { details: { networkId } })
    return network
  }
  /** @param reader the client through which it looks at the chain */
  const buildWith = async (reader: (client: Client) => Client, input: SendInput, options: PreviewOptions) => {
    getOrder(input)
    const from = input.from ?? activeAddress(kernel)
    return buildTransaction(reader(await clients.get()), input, from, memory, options)
  }
  const build: SolanaSteps['build'] = (input, options = {}) => buildWith(client => client, input, options)
  const fee: SolanaSteps['fee'] = async (built, options = {}) =>
    priceTransaction(await clients.get(built.networkId), built, clock, options)
  const sign: SolanaSteps['sign'] = async (priced, options = {}) =>
    signTransaction(kernel, getNetwork(priced.networkId), priced, options)
  const submit: SolanaSteps['submit'] = async (signed, options = {}) =>
    submitTransaction(await clients.get(signed.networkId), signed, clock, options)
  const confirm: SolanaSteps['confirm'] = async (signed, options = {}) => {
    const { programs } = readTransaction(signed.transaction)
    return confirmTransaction(await clients.get(signed.networkId), signed, clock, options, programs)
  }
  const optimize: SolanaSteps['optimize'] = (built, given = {}) =>
    optimizeTransaction({ ...kernel, version: options.version }, options.optimize, built, given)
  const log = createTransactionLog(kernel, clock, signed => confirm(signed))

  const run = async (
    { onStep, signal, commitment, preflight, cosign, sponsor }: RunOptions,
    start: () => Promise<BuiltTransaction>,
  ): Promise<Confirmation> => {
    runs += 1
    const id = `${clock.now().toString(36)}-${runs}`
    const tell = (told: Told) => {
      const step: TransactionStep = { ...told, id }
      kernel.events.emit('transaction:step', step)
      try {
        onStep?.(step)
      } catch (error) {
        kernel.logger.error('onStep', error)
      }
    }
    let signed: SignedTransaction | undefined
    try {
      const built = await start()
      const { networkId, from, transfer, transfers } = built
      tell({ step: 'built', networkId, from, transfer, transfers })
      const client = patient(await clients.get(networkId))
      const priced = await priceTransaction(client, await optimize(built, { sponsor, signal }), clock, { signal })
      tell({ step: 'fee', fee: priced.fee })
      signed = completed(built) ?? (await signNew(priced, { signal, cosign }))
      const { signature } = signed
      tell({ step: 'signed', signature })
      await log.add(signed)
      const acknowledged = await submit(signed, { commitment, preflight, signal }).then(
        () => true,
        error => {
          // The transaction may have arrived all the same, so only the chain knows its outcome.
          if (toKeybayError(error).code === rpcUnreachable.code) return false
          throw error
        },
      )
      tell({ step: 'sent', signature, acknowledged })
      const confirmation = await confirm(signed, { commitment, signal })
      await log.end(signature, confirmation)
      tell({ step: 'confirmed', ...confirmation })
      return confirmation
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (signed) await log.end(signed.signature, { error })
      tell({ step: 'failed', error, signature: signed?.signature })
      throw error
    }
  }
  /** Another tab may have built and signed identical bytes, which the chain would execute only once. */
  const signNew: SolanaSteps['sign'] = async (priced, options) => {
    const signed = await sign(priced, options)
    if (!(await log.has(signed.signature))) return signed
    throw new KeybayError(invalidTransaction, { details: { reason: 'the same transaction was signed a moment ago' } })
  }
  /** Returns the transaction if it already has all signatures. */
  const completed = (built: BuiltTransaction): SignedTransaction | undefined => {
    const { signatures } = readTransaction(built.transaction)
    const [signature] = signatures
    return signature === undefined || signatures.includes(undefined) ? undefined : { ...built, signature }
  }

  return {
    steps: {
      build,
      fee,
      sign,
      submit,
      confirm,
      optimize,
      simulate: async (built, options = {}) => simulate(await clients.get(built.networkId), built, options),
      tokenAccounts: async (owner, options = {}) => getTokenAccounts(await clients.get(), owner, options),
      transactions: log,
      nodes: createNodes({ clients, networks, nodes, clock, options }),
    },
    send: input => run(input, () => buildWith(patient, input, { signal: input.signal })),
    async sendTransaction(transaction, connection, options = {}) {
      // The types require both; apps without TypeScript get this error (S5.6).
      if (!transaction || !connection) throw new KeybayError(sendIncomplete)
      return run(options, async () => {
        const { networkId } = getNetwork(connection.networkId)
        const { signers, signatures } = readTransaction(transaction)
        const missing = signers.filter((_, index) => signatures[index] === undefined)
        const from = options.from ?? missing.find(address => findAccount(kernel, address)) ?? signers[0]
        if (from === undefined) throw new KeybayError(invalidTransaction)
        if (missing.length && !findAccount(kernel, from)) throw new KeybayError(signerNotFound)
        return { networkId, from, transaction, lastValidBlockHeight: options.lastValidBlockHeight }
      })
    },
  }
}
