/** A wallet with a real key, scripted by the test. */
import { type KeyObject, sign } from 'node:crypto'
import type { Connection, WalletConnector } from '@keybay/kernel'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { createSignInMessageText } from '@solana/wallet-standard-util'
import bs58 from 'bs58'

type Can = 'solana:signIn' | 'solana:signMessage' | 'solana:signTransaction'
export interface TestWallet {
  readonly connector: WalletConnector
  readonly address: string
  readonly key: KeyObject
  /** Requests that a user would see; silent connects in brackets. */
  readonly asked: string[]
  readonly texts: string[]
  readonly transactions: Uint8Array[]
  readonly refuses: Partial<Record<Can | 'standard:connect', () => unknown>>
  readonly answers: Partial<Record<Can, (real: Record<string, unknown>) => unknown>>
}

function ed25519(key: KeyObject, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, key))
}

export function testWallet(can: readonly Can[] = ['solana:signMessage', 'solana:signTransaction'], id = 'test-wallet') {
  const { privateKey: key, publicKey } = newKeyPair('Ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const address = bs58.encode(Buffer.from(x, 'base64url'))
  const account: Connection['accounts'][number] = {
    address,
    publicKey: bs58.decode(address),
    chains: ['solana:localnet'],
    features: [...can],
  }
  let trusted = false
  const run = (feature: Can | 'standard:connect') => {
    made.asked.push(feature)
    const refuse = made.refuses[feature]
    if (refuse) throw refuse()
  }
  const answer = async (feature: Can, real: Record<string, unknown>) => [(await made.answers[feature]?.(real)) ?? real]
  const all: Record<string, object> = {
    'standard:connect': {
      version: '1.0.0',
      async connect({ silent = false } = {}) {
        if (silent) return { accounts: trusted ? [account] : [] }
        if (!trusted) run('standard:connect')
        trusted = true
        return { accounts: [account] }
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      async disconnect() {
        made.asked.push('standard:disconnect')
      },
    },
    'solana:signIn': {
      version: '1.0.0',
      async signIn(input: Parameters<typeof createSignInMessageText>[0]) {
        run('solana:signIn')
        const text = createSignInMessageText({ ...input, address })
        made.texts.push(text)
        trusted = true
        const signedMessage = new TextEncoder().encode(text)
        return answer('solana:signIn', { account, signedMessage, signature: ed25519(key, signedMessage) })
      },
    },
    'solana:signMessage': {
      version: '1.1.0',
      async signMessage({ message }: { message: Uint8Array }) {
        run('solana:signMessage')
        made.texts.push(new TextDecoder().decode(message))
        return answer('solana:signMessage', { signedMessage: message, signature: ed25519(key, message) })
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      async signTransaction({ transaction }: { transaction: Uint8Array }) {
        run('solana:signTransaction')
        const signedTransaction = transaction.slice()
        signedTransaction.set(ed25519(key, transaction.subarray(65)), 1)
        made.transactions.push(signedTransaction)
        return answer('solana:signTransaction', { signedTransaction })
      },
    },
  }
  const offered = ['standard:connect', 'standard:disconnect', ...can]
  const features = Object.fromEntries(Object.entries(all).filter(([name]) => offered.includes(name)))
  const made: TestWallet = {
    address,
    key,
    asked: [],
    texts: [],
    transactions: [],
    refuses: {},
    answers: {},
    connector: {
      kind: 'wallet',
      id,
      name: 'Test wallet',
      icon: 'data:image/svg+xml,',
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet: {
        version: '1.0.0',
        name: 'Test wallet',
        icon: 'data:image/svg+xml;base64,',
        chains: ['solana:localnet'],
        get accounts() {
          return trusted ? [account] : []
        },
        features,
      },
    },
  }
  return made
}
export function refusal(): Error {
  return Object.assign(new Error('User rejected the request.'), { code: 4001 })
}

export function hardware(): Error {
  return Object.assign(new Error('Signing off-chain messages with a hardware wallet is not supported.'), {
    code: -32603,
  })
}
