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
import { type Client, type Clients, type EngineOptions, followClient } from '../client.js'
import { rpcUnreachable } from '../errors.js'
import { createHistories } from '../history.js'
import type { SolanaNetworks } from '../networks.js'
import { createNodes } from '../nodes.js'
import type { OwnNodes } from '../own-nodes.js'
import type {
  BuiltTransaction,
  Confirmation,
  ConfirmOptions,
  PreviewOptions,
  RunOptions,
  SendInput,
  SignedTransaction,
  TransactionStep,
} from '../steps.js'
import { getTokenAccounts, watchTokenAccounts } from '../tokens.js'
import { buildTransaction, createSameness } from './build.js'
import { Confirming, confirmTransaction, type Job } from './confirm.js'
import { priceTransaction } from './fee.js'
import { optimizeTransaction } from './optimize.js'
import { getOrder } from './order.js'
import { createRecentFees } from './priority.js'
import { activeAddress, findAccount, signTransaction } from './sign.js'
import { simulate } from './simulate.js'
import { submitTransaction } from './submit.js'
import { createTransactionLog } from './transactions.js'
import { readTransaction } from './wire.js'

export interface Pipeline extends Pick<SolanaEngine, 'send' | 'sendTransaction'> {
  readonly steps: SolanaSteps
}
type StepContent<S = TransactionStep> = S extends TransactionStep ? Omit<S, 'id'> : never

/**
 * Returns the same client with twelve tries per call instead of four: reads before a signature exists are safe to repeat, and a
 * short outage does not end the transfer.
 */
function makePatient(client: Client): Client {
  const { rpc } = client
  const call: Client['rpc'] = Object.assign(
    (...[method, params, options]: Parameters<Client['rpc']>) => rpc(method, params, { ...options, patient: true }),
    { all: rpc.all },
  )
  return { ...client, rpc: call }
}

function getCompleted(built: BuiltTransaction): SignedTransaction | undefined {
  const { signatures } = readTransaction(built.transaction)
  const [signature] = signatures
  return signature === undefined || signatures.includes(undefined) ? undefined : { ...built, signature }
}

interface Parts {
  readonly kernel: Kernel
  readonly clients: Clients
  readonly networks: SolanaNetworks
  readonly nodes: OwnNodes
  readonly options: EngineOptions
}

function createSteps({ kernel, clients, networks, nodes, options }: Parts) {
  const { clock } = kernel.config
  const memory = { countSame: createSameness(clock), recentFees: createRecentFees(clock) }
  const getNetwork = (networkId: number) => {
    const network = networks.list().find(known => known.networkId === networkId)
    if (!network) throw new KeybayError(unsupportedChain, { details: { networkId } })
    return network
  }
  /** @param withReader returns the client that reads the chain */
  const buildWith = async (withReader: (client: Client) => Client, input: SendInput, stepOptions: PreviewOptions) => {
    getOrder(input)
    const from = input.from ?? activeAddress(kernel)
    return buildTransaction(withReader(await clients.get()), input, from, memory, stepOptions)
  }
  const prepareConfirm = async (awaited: SignedTransaction, options: ConfirmOptions): Promise<Job> => {
    const { programs } = readTransaction(awaited.transaction)
    return { client: await clients.get(awaited.networkId), awaited, clock, options, programs }
  }
  const confirm: SolanaSteps['confirm'] = async (signed, stepOptions = {}) =>
    confirmTransaction(await prepareConfirm(signed, stepOptions))
  const log = createTransactionLog(kernel, clock, signed => confirm(signed))
  const histories = createHistories()
  const disposal = new AbortController()
  kernel.onDispose(() => disposal.abort())
  const steps: SolanaSteps = {
    build: (input, stepOptions = {}) => buildWith(client => client, input, stepOptions),
    fee: async (built, stepOptions = {}) =>
      priceTransaction(await clients.get(built.networkId), built, clock, stepOptions),
    sign: async (priced, stepOptions = {}) =>
      signTransaction(kernel, getNetwork(priced.networkId), priced, stepOptions),
    submit: async (signed, stepOptions = {}) =>
      submitTransaction(await clients.get(signed.networkId), signed, clock, stepOptions),
    confirm,
    optimize: (built, stepOptions = {}) =>
      optimizeTransaction({ ...kernel, version: options.version }, options.optimize, built, stepOptions),
    simulate: async (built, stepOptions = {}) => simulate(await clients.get(built.networkId), built, stepOptions),
    tokenAccounts: async (owner, stepOptions = {}) => getTokenAccounts(await clients.get(), owner, stepOptions),
    watchTokenAccounts(owner, listener) {
      const controller = new AbortController()
      const { signal } = controller
      const stop = () => controller.abort()
      disposal.signal.addEventListener('abort', stop, { signal })
      const watch = (client: Client, signal: AbortSignal) => watchTokenAccounts(client, owner, clock, signal, listener)
      followClient(clients, [networks, nodes], signal, listener, watch)
      return stop
    },
    history: async (address, stepOptions = {}) => histories.get(await clients.get(), address, stepOptions),
    transactions: log,
    nodes: createNodes({ clients, networks, nodes, clock, options }),
  }
  return { steps, log, getNetwork, buildWith, prepareConfirm }
}

export function createPipeline(parts: Parts): Pipeline {
  const { kernel, clients } = parts
  const { clock } = kernel.config
  const { steps, log, getNetwork, buildWith, prepareConfirm } = createSteps(parts)
  let runs = 0

  /** Another tab may have built and signed identical bytes, which the chain would execute only once. */
  const signNew: SolanaSteps['sign'] = async (priced, options) => {
    const signed = await steps.sign(priced, options)
    if (!(await log.has(signed.signature))) return signed
    throw new KeybayError(invalidTransaction, { details: { reason: 'the same transaction was signed a moment ago' } })
  }
  const createEmit = (onStep: RunOptions['onStep']) => {
    runs += 1
    const id = `${clock.now().toString(36)}-${runs}`
    return (content: StepContent) => {
      const step: TransactionStep = { ...content, id }
      kernel.events.emit('transaction:step', step)
      try {
        onStep?.(step)
      } catch (error) {
        kernel.logger.error('onStep', error)
      }
    }
  }
  const run = async (
    { onStep, signal, commitment, preflight, cosign, sponsor }: RunOptions,
    start: () => Promise<BuiltTransaction>,
  ): Promise<Confirmation> => {
    const emit = createEmit(onStep)
    let signed: SignedTransaction | undefined
    let confirming: Confirming | undefined
    let release = () => {}
    try {
      const built = await start()
      const { networkId, from, transfer, transfers } = built
      emit({ step: 'built', networkId, from, transfer, transfers })
      const client = makePatient(await clients.get(networkId))
      release = client.socket.hold()
      const optimized = await steps.optimize(built, { sponsor, signal })
      const priced = await priceTransaction(client, optimized, clock, { signal })
      emit({ step: 'fee', fee: priced.fee })
      signed = getCompleted(built) ?? (await signNew(priced, { signal, cosign }))
      const { signature } = signed
      emit({ step: 'signed', signature })
      await log.add(signed)
      confirming = new Confirming(await prepareConfirm(signed, { commitment, signal }))
      await confirming.listen()
      const acknowledged = await steps.submit(signed, { commitment, preflight, signal }).then(
        () => true,
        error => {
          // The transaction may have arrived all the same, so only the chain knows its outcome.
          if (toKeybayError(error).code === rpcUnreachable.code) return false
          throw error
        },
      )
      emit({ step: 'sent', signature, acknowledged })
      confirming.start()
      const confirmation = await confirming.result
      await log.end(signature, confirmation)
      emit({ step: 'confirmed', ...confirmation })
      return confirmation
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (signed) await log.end(signed.signature, { error })
      emit({ step: 'failed', error, signature: signed?.signature })
      throw error
    } finally {
      confirming?.cancel()
      release()
    }
  }
  return {
    steps,
    send: input => run(input, () => buildWith(makePatient, input, { signal: input.signal })),
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
