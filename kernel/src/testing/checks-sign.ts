/** Sign checks: the wallet signs the requested bytes with the key of the address that it shows. */
import type { FeatureName, WalletFeatures } from '../connector.js'
import { utf8 } from '../spec/bytes.js'
import { isKeybayError, toKeybayError, userRejected } from '../spec/errors.js'
import { check } from './check.js'
import type { ConnectorCheck, Expectations } from './expectations.js'
import { verifies } from './keys.js'
import { createTransaction, readSignature } from './sample-transaction.js'
import { demand, rejection, type Stage, within } from './stage.js'

const MESSAGES = ['Keybay conformance: sign this text', 'Keybay conformance: and this one']

/** Connects, and returns the feature with an account that has it; undefined if the wallet has none. */
async function connectFor<const F extends FeatureName>(stage: Stage, expectations: Expectations, name: F) {
  const { connector, keybay } = stage
  await within(stage.connect(), 'a connect that the user approves must resolve', expectations)
  const features: { readonly [K in F]?: WalletFeatures[K] | undefined } =
    connector.kind === 'wallet' ? connector.wallet.features : {}
  const feature = features[name]
  const account = keybay.connections.get(expectations.id)?.accounts.find(entry => entry.features.includes(name))
  return feature && account ? { feature, account } : undefined
}

function demandAll(name: string, answers: readonly unknown[], inputs: readonly unknown[]) {
  demand(Array.isArray(answers), `${name} must return a list with one answer per input`)
  demand(
    answers.length === inputs.length,
    `${name} must have one answer per input: ${inputs.length} inputs, ${answers.length} answers. Sign each input`,
  )
}

/** Bytes of an app: as with a Buffer, which many transactions are, a slice shares their memory. */
class AppBytes extends Uint8Array {
  override slice(start?: number, end?: number) {
    return this.subarray(start, end)
  }
}

/** Signs, and changes the app's bytes and the inputs that hold them at once: the wallet must sign what the call held. */
function signThenChange<T>(inputs: readonly Readonly<Record<string, unknown>>[], sign: () => T): T {
  const answers = sign()
  for (const input of inputs)
    for (const [name, value] of Object.entries(input))
      if (value instanceof Uint8Array) Reflect.set(input, name, new AppBytes(value.fill(0xff, -1)))
  return answers
}

/** Resolves to undefined if the wallet rejects several inputs: one that leaves the page signs one at a time. */
function allowOne<T>(inputs: readonly unknown[], answers: Promise<T>): Promise<T | undefined> {
  return inputs.length > 1 ? answers.catch(() => undefined) : answers
}

function demandSignature(name: string, signature: unknown): asserts signature is Uint8Array {
  demand(ArrayBuffer.isView(signature), `${name}: the signature must be bytes (Uint8Array), not ${typeof signature}`)
  demand(signature.byteLength === 64, `${name}: a signature must be of 64 bytes, not ${signature.byteLength}`)
}

const COPY =
  'Copy the input, and its bytes with `new Uint8Array(bytes)`, before anything else, because the app may change them later'
const NOT_OWN = 'Sign with the key of the account in the input, over exactly these bytes'

async function checkMessages(stage: Stage, expectations: Expectations) {
  const connected = await connectFor(stage, expectations, 'solana:signMessage')
  if (!connected) return
  const { account, feature } = connected
  for (const messages of [MESSAGES.slice(0, 1), MESSAGES]) {
    const inputs = messages.map(message => ({ account, message: new AppBytes(utf8(message)) }))
    const signed = signThenChange(inputs, () => feature.signMessage(...inputs))
    const words = `a message that the user approves must be signed. ${COPY}`
    const answers = await within(allowOne(messages, signed), words, expectations)
    if (!answers) return
    demandAll('signMessage', answers, messages)
    for (const [i, { signedMessage, signature }] of answers.entries()) {
      // Some wallets prefix the message.
      const text = new TextDecoder().decode(signedMessage)
      demand(
        text.endsWith(messages[i] ?? ''),
        `signedMessage must hold the message of the input, in the order of the inputs. ${COPY}`,
      )
      demandSignature('signMessage', signature)
      demand(
        await verifies(account.publicKey, signature, signedMessage),
        `the signature must be the account’s own, over signedMessage. ${NOT_OWN}`,
      )
    }
  }
}

async function checkTransactions(stage: Stage, expectations: Expectations) {
  const connected = await connectFor(stage, expectations, 'solana:signTransaction')
  if (!connected) return
  const { account, feature } = connected
  const samples = [1, 2].map(seed => createTransaction(account.publicKey, feature.supportedTransactionVersions, seed))
  const [chain] = account.chains
  for (const transactions of [samples.slice(0, 1), samples]) {
    const inputs = transactions.map(bytes => ({ account, transaction: new AppBytes(bytes), ...(chain && { chain }) }))
    const signed = signThenChange(inputs, () => feature.signTransaction(...inputs))
    const words = `a transaction that the user approves must be signed. ${COPY}`
    const answers = await within(allowOne(transactions, signed), words, expectations)
    if (!answers) return
    demandAll('signTransaction', answers, transactions)
    for (const [i, { signedTransaction }] of answers.entries()) {
      demand(ArrayBuffer.isView(signedTransaction), 'signedTransaction must be bytes: the serialised transaction')
      const signature = readSignature(signedTransaction, transactions[i])
      demand(signature, `signedTransaction must be the transaction of the input, in the order of the inputs. ${COPY}`)
      demand(
        signature.some(byte => byte !== 0),
        'signedTransaction must hold the account’s signature, but its place is empty',
      )
      demand(
        await verifies(account.publicKey, signature, readMessage(transactions[i])),
        `the signature in signedTransaction must be the account’s own. ${NOT_OWN}`,
      )
    }
  }
}

/** The bytes that a transaction with one signer signs. */
function readMessage(transaction: Uint8Array = new Uint8Array()): Uint8Array {
  return transaction.subarray(65)
}

async function checkSending(stage: Stage, expectations: Expectations) {
  const connected = await connectFor(stage, expectations, 'solana:signAndSendTransaction')
  const chain = connected?.account.chains[0]
  if (!connected || !chain) return
  const { account, feature } = connected
  const transaction = createTransaction(account.publicKey, feature.supportedTransactionVersions, 3)
  const input = { account, transaction: new AppBytes(transaction), chain }
  // Most tests have no chain, so the wallet may fail. What it returns must be right.
  const answers = await within(
    signThenChange([input], () => feature.signAndSendTransaction(input).catch(() => undefined)),
    'signAndSendTransaction must settle: reject if there is no chain',
    expectations,
  )
  if (!answers) return
  demandAll('signAndSendTransaction', answers, [transaction])
  const [answer] = answers
  demandSignature('signAndSendTransaction', answer?.signature)
  demand(
    await verifies(account.publicKey, answer?.signature, readMessage(transaction)),
    'signAndSendTransaction must return the first signature of the transaction, which the account made',
  )
}

async function checkRefusal(stage: Stage, expectations: Expectations) {
  const names = ['solana:signMessage', 'solana:signTransaction'] as const
  const refuse = () => {
    demand(stage.scene.refusesSigning, 'createConnector must set scene.refusesSigning')
    return stage.scene.refusesSigning()
  }
  const message = await connectFor(stage, expectations, names[0])
  const transaction = await connectFor(stage, expectations, names[1])
  await refuse()
  const calls = [
    message && (() => message.feature.signMessage({ account: message.account, message: new Uint8Array([1]) })),
    transaction &&
      (() =>
        transaction.feature.signTransaction({
          account: transaction.account,
          transaction: createTransaction(
            transaction.account.publicKey,
            transaction.feature.supportedTransactionVersions,
            4,
          ),
        })),
  ]
  for (const [i, call] of calls.entries()) {
    if (!call) continue
    // Async, so that a synchronous throw also becomes a rejection.
    const answered = (async () => call())()
    const words = `${names[i]} must reject when the user refuses, and return no signature`
    const error = await rejection(answered, words, expectations)
    const { code } = toKeybayError(error)
    demand(
      isKeybayError(toKeybayError(error), userRejected),
      `${names[i]}: a refusal must be ${userRejected.code}, not ${code}. Throw KeybayError(userRejected), or an error with code 4001`,
    )
  }
}

export const signChecks: readonly ConnectorCheck[] = [
  check({ name: 'sign: messages are signed by the account that was asked', kind: 'wallet', play: checkMessages }),
  check({
    name: 'sign: transactions are signed by the account that was asked',
    kind: 'wallet',
    play: checkTransactions,
  }),
  check({ name: 'sign: what was sent is signed by the account that was asked', kind: 'wallet', play: checkSending }),
  check({
    name: 'sign: a refusal is user_rejected, and gives no signature',
    kind: 'wallet',
    needs: 'refuses-signing',
    play: checkRefusal,
  }),
]
