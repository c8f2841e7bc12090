/** Wallets that sign wrongly: each returns something else than the correct signatures. */
import { internal, KeybayError, type WalletFeatures } from '../src/index.js'
import type { MockWallet } from '../src/testing/index.js'
import { createSigningKey } from '../src/testing/keys.js'
import { type Broken, brokenWallet, withFeature } from './testing-break.js'

const MESSAGES = 'sign: messages are signed by the account that was asked'
const TRANSACTIONS = 'sign: transactions are signed by the account that was asked'
const SENDING = 'sign: what was sent is signed by the account that was asked'
const REFUSAL = 'sign: a refusal is user_rejected, and gives no signature'

type MessageAnswers = Awaited<ReturnType<WalletFeatures['solana:signMessage']['signMessage']>>
type TransactionAnswers = Awaited<ReturnType<WalletFeatures['solana:signTransaction']['signTransaction']>>
type Change<T> = (answers: T) => unknown

const zeros = new Uint8Array(64)

function withMessages(mock: MockWallet, change: Change<MessageAnswers>) {
  return withFeature(mock, 'solana:signMessage', old => ({
    signMessage: async (...inputs) => Object(await change((await old?.signMessage(...inputs)) ?? [])),
  }))
}

function withTransactions(
  mock: MockWallet,
  change: (answers: TransactionAnswers, inputs: TransactionAnswers) => unknown,
) {
  return withFeature(mock, 'solana:signTransaction', old => ({
    signTransaction: async (...inputs) => {
      const unsigned = inputs.map(({ transaction }) => ({ signedTransaction: new Uint8Array(transaction) }))
      return Object(await change((await old?.signTransaction(...inputs)) ?? [], unsigned))
    },
  }))
}

const messageFaults: readonly (readonly [what: string, says: string, change: Change<MessageAnswers>])[] = [
  ['nothing', 'must return a list', () => undefined],
  ['an empty list', '1 inputs, 0 answers', () => []],
  ['only the first answer', '2 inputs, 1 answers', answers => answers.slice(0, 1)],
  ['one answer too many', '1 inputs, 2 answers', answers => [...answers, ...answers]],
  ['the answers in reverse', 'in the order of the inputs', answers => [...answers].reverse()],
  ['zeros', 'must be the account’s own', answers => answers.map(answer => ({ ...answer, signature: zeros }))],
  ['no signature', 'must be bytes', answers => answers.map(({ signedMessage }) => ({ signedMessage }))],
  ['a signature in text', 'must be bytes', answers => answers.map(answer => ({ ...answer, signature: 'ab' }))],
  [
    'a signature that is cut',
    'must be of 64 bytes, not 63',
    answers => answers.map(answer => ({ ...answer, signature: answer.signature.slice(1) })),
  ],
  [
    'the signature of the message before',
    'must be the account’s own',
    answers => answers.map(answer => ({ ...answer, signature: answers[0]?.signature })),
  ],
  [
    'another message',
    'must hold the message',
    answers => answers.map(answer => ({ ...answer, signedMessage: new Uint8Array([1]) })),
  ],
  [
    'the signature of another key',
    'must be the account’s own',
    async answers => {
      const key = await createSigningKey()
      return Promise.all(answers.map(async answer => ({ ...answer, signature: await key.sign(answer.signedMessage) })))
    },
  ],
]

const transactionFaults: readonly (readonly [
  what: string,
  says: string,
  change: (answers: TransactionAnswers, inputs: TransactionAnswers) => unknown,
])[] = [
  ['nothing', 'must return a list', () => undefined],
  ['an empty list', '1 inputs, 0 answers', () => []],
  ['only the first transaction', '2 inputs, 1 answers', answers => answers.slice(0, 1)],
  ['one transaction too many', '1 inputs, 2 answers', answers => [...answers, ...answers]],
  ['the transactions in reverse', 'in the order of the inputs', answers => [...answers].reverse()],
  ['the unsigned transaction', 'its place is empty', (_, inputs) => inputs],
  ['garbage', 'must be the transaction of the input', () => [{ signedTransaction: new Uint8Array([1, 2, 3]) }]],
  ['a transaction in text', 'must be bytes', () => [{ signedTransaction: 'AQID' }]],
  ['no transaction', 'must be bytes', () => [{}]],
  [
    'a foreign transaction',
    'must be the transaction of the input',
    answers =>
      answers.map(({ signedTransaction }) => ({
        signedTransaction: signedTransaction.map((b, i) => (i < 140 ? b : b ^ 1)),
      })),
  ],
  [
    'a broken signature',
    'must be the account’s own',
    answers =>
      answers.map(({ signedTransaction }) => ({
        signedTransaction: signedTransaction.map((b, i) => (i === 5 ? b ^ 1 : b)),
      })),
  ],
  [
    'the signature of the transaction before',
    'must be the account’s own',
    (answers, inputs) =>
      inputs.map(({ signedTransaction }) => {
        const mixed = Uint8Array.from(signedTransaction)
        mixed.set(answers[0]?.signedTransaction.subarray(1, 65) ?? [], 1)
        return { signedTransaction: mixed }
      }),
  ],
]

/** A wallet that sends: it returns `change` of the correct signature. */
function sendingWallet(what: string, says: string, change: (signature: Uint8Array) => unknown): Broken {
  return brokenWallet(`signAndSend returns ${what}`, SENDING, says, mock => {
    const { features } = withFeature(mock, 'solana:signAndSendTransaction', () => ({
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0] as const,
      signAndSendTransaction: async (...inputs) => {
        const [account] = mock.wallet.accounts
        const signed = await mock.wallet.features['solana:signTransaction']?.signTransaction(
          ...inputs.map(input => ({ ...input, ...(account && { account }) })),
        )
        return Object(change(signed?.[0]?.signedTransaction.subarray(1, 65) ?? zeros))
      },
    })).wallet
    const sends = (accounts: MockWallet['wallet']['accounts']) =>
      accounts.map(account => ({
        ...account,
        features: [...account.features, 'solana:signAndSendTransaction' as const],
      }))
    return { wallet: Object.create(mock.wallet, { features: { value: features } }), ...connectThrough(mock, sends) }
  })
}

function connectThrough(
  mock: MockWallet,
  change: (accounts: MockWallet['wallet']['accounts']) => MockWallet['wallet']['accounts'],
) {
  return {
    connect: async ({ silent }: { readonly silent: boolean }) =>
      change((await mock.wallet.features['standard:connect']?.connect({ silent }))?.accounts ?? []),
  }
}

export const mutantSigners: readonly Broken[] = [
  ...messageFaults.map(([what, says, change]) =>
    brokenWallet(`signMessage returns ${what}`, MESSAGES, says, mock => withMessages(mock, change)),
  ),
  ...transactionFaults.map(([what, says, change]) =>
    brokenWallet(`signTransaction returns ${what}`, TRANSACTIONS, says, mock => withTransactions(mock, change)),
  ),
  brokenWallet('signMessage waits before it reads the bytes', MESSAGES, 'Copy the input', mock =>
    withFeature(mock, 'solana:signMessage', old => ({
      signMessage: async (...inputs) => {
        await undefined
        return (await old?.signMessage(...inputs)) ?? []
      },
    })),
  ),
  brokenWallet('signTransaction copies the bytes by slice', TRANSACTIONS, 'Copy the input', mock =>
    withFeature(mock, 'solana:signTransaction', old => ({
      signTransaction: async (...inputs) => {
        const copies = inputs.map(input => ({ ...input, transaction: input.transaction.slice() }))
        await undefined
        return (await old?.signTransaction(...copies)) ?? []
      },
    })),
  ),
  brokenWallet('signMessage copies the bytes, but not the input that holds them', MESSAGES, 'Copy the input', mock =>
    withFeature(mock, 'solana:signMessage', old => ({
      signMessage: async (...inputs) => {
        for (const input of inputs) Reflect.set(input, 'message', new Uint8Array(input.message))
        await undefined
        return (await old?.signMessage(...inputs)) ?? []
      },
    })),
  ),
  sendingWallet('no list', 'must return a list', () => undefined),
  sendingWallet('an empty list', '1 inputs, 0 answers', () => []),
  sendingWallet('zeros', 'must return the first signature', () => [{ signature: zeros }]),
  sendingWallet('a signature in text', 'must be bytes', () => [{ signature: 'garbage' }]),
  sendingWallet('a signature that is cut', 'must be of 64 bytes', signature => [{ signature: signature.slice(1) }]),
  brokenWallet('a refused message is answered with zeros', REFUSAL, 'signMessage must reject', mock =>
    withFeature(mock, 'solana:signMessage', () => ({
      signMessage: async (...inputs) => inputs.map(({ message }) => ({ signedMessage: message, signature: zeros })),
    })),
  ),
  brokenWallet('a refused transaction is answered unsigned', REFUSAL, 'signTransaction must reject', mock =>
    withFeature(mock, 'solana:signTransaction', () => ({
      signTransaction: async (...inputs) => inputs.map(({ transaction }) => ({ signedTransaction: transaction })),
    })),
  ),
  brokenWallet(
    'a refused message is an internal error',
    REFUSAL,
    'signMessage: a refusal must be user_rejected',
    mock =>
      withFeature(mock, 'solana:signMessage', () => ({ signMessage: () => Promise.reject(new KeybayError(internal)) })),
  ),
  brokenWallet('a refused transaction is never answered', REFUSAL, 'signTransaction must reject', mock =>
    withFeature(mock, 'solana:signTransaction', () => ({ signTransaction: () => new Promise(() => {}) })),
  ),
]
