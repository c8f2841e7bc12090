/** A server that signs for users within a policy. It holds one share; the relays check each request and hold the others. */
import { fromBase64Url, invalidTransaction, KeybayError, sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { anyPoint, codecs, createFrameSigner, decode, encode, eraseShare } from '../mpc/index.js'
import { answersSchema, oneWallet } from '../relay-client/answers.js'
import { createRelayClient, type Device, type OwnAuthority } from '../relay-client/client.js'
import { takeDealt } from '../relay-client/dealing.js'
import { parseTransaction, type Transaction, withSignature } from '../relay-client/transaction.js'
import { readBundle } from './bundle.js'
import { type DelegateKeys, getSealingPair, getSigningKey } from './keys.js'

export interface DelegateOptions {
  readonly keys: DelegateKeys
  readonly environmentId: string
  /** R1's API, e.g. `http://localhost:4300/api/v0`. */
  readonly relayUrl: string
  /** Relays that hold shares of the delegate's sets, as the frame is configured. Default: R1 and R2. */
  readonly parties?: readonly ('R1' | 'R2')[]
  /** Current time, ms since epoch. Default: this machine's clock; the relay's clock corrects it. */
  readonly now?: () => number
  readonly fetch?: typeof fetch
}
/** A delegated wallet, as the server stores it. `share` is a secret. */
export interface DelegatedWallet {
  readonly address: string
  readonly walletId: string
  readonly setId: string
  /** The user's id. */
  readonly user: string
  /** base64url */
  readonly share: string
}
export interface Delegate {
  /**
   * Takes the share that a user's page brought, and confirms it to the relays. A second call fails with `ceremony_state`.
   * @param keep stores the wallet before the relays are told, so that a lost response loses no share
   * @throws KeybayError `delegate_bundle_unreadable`, those of `@keybay/waas/mpc` for wrong dealings, the relay's
   * @example await delegate.accept(sealedShare, wallet => vault.put(wallet.setId, JSON.stringify(wallet)))
   */
  accept(sealedShare: Uint8Array, keep: (wallet: DelegatedWallet) => Promise<void>): Promise<DelegatedWallet>
  /**
   * Signs for the wallet's address, and keeps the other signatures of the transaction, legacy or version 0.
   * @throws KeybayError `invalid_transaction`; the relay's: `policy_refused` with the rule, `set_revoked`, `unauthorized`
   * @example await delegate.signTransaction(wallet, transaction)
   */
  signTransaction(wallet: DelegatedWallet, transaction: Uint8Array): Promise<Uint8Array>
  /** Signs a message if the policy allows messages. @returns 64 bytes */
  signMessage(wallet: DelegatedWallet, message: Uint8Array): Promise<Uint8Array>
}

function readTransaction(bytes: Uint8Array, address: string): Transaction {
  try {
    const transaction = parseTransaction(bytes)
    if (transaction.parsed.signers.includes(address)) return transaction
  } catch {
    // Reported below.
  }
  throw new KeybayError(invalidTransaction)
}

/** @example const delegate = createDelegate({ keys, environmentId: 'live', relayUrl: 'https://relay.example/api/v0' }) */
export function createDelegate(options: DelegateOptions): Delegate {
  const { keys, environmentId, relayUrl, parties = ['R1', 'R2'], now = Date.now, fetch: reach = fetch } = options
  const relays = parties.map(party => ({ party, url: relayUrl }))
  const relay = createRelayClient({ configuration: { environmentId, relays }, now, fetch: (...args) => reach(...args) })
  let signing: ReturnType<typeof getSigningKey> | undefined
  const key = () => {
    signing ??= getSigningKey(keys)
    return signing
  }

  const sign = async (
    { walletId, setId, user, share: encodedShare }: DelegatedWallet,
    kind: 'transaction' | 'message',
    message: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array> => {
    const share = decode(codecs.keyShare, fromBase64Url(encodedShare), anyPoint)
    const peers = share.set.parties.filter(party => party === 'R1' || party === 'R2')
    const attempt = createFrameSigner(share, peers).begin(message)
    try {
      const operation = kind === 'transaction' ? 'signTransaction' : 'signMessage'
      const authority: OwnAuthority = { user, operation, hash: toBase64Url(await sha256(message)) }
      const { epoch } = share.set
      const device: Device = { key: await key(), walletId, setId, epoch, signers: ['C', ...peers] }
      const { answers } = await relay.post({
        path: `/wallets/${walletId}/sign`,
        body: {
          setId,
          kind,
          message: toBase64Url(message),
          commitment: toBase64Url(encode(codecs.signCommitment, attempt.commitment)),
        },
        answer: answersSchema,
        authority,
        device,
      })
      return attempt.finish(answers.map(text => decode(codecs.signAnswer, fromBase64Url(text), anyPoint)))
    } finally {
      attempt.erase()
      eraseShare(share)
    }
  }

  return {
    async accept(sealedShare, keep) {
      const { user, address, scheme, walletId, setId, dealt } = readBundle(sealedShare, environmentId)
      const withR2 = parties.includes('R2')
      const recipient = { walletId, setId, scheme, withR2, address, pair: getSealingPair(keys) }
      const { share, commit } = takeDealt({ status: 'dealt', ...dealt }, recipient)
      const operation = 'delegateKeyShares'
      const hash = toBase64Url(await sha256(utf8(JSON.stringify([operation]))))
      const device: Device = { key: await key(), walletId, setId, epoch: 0 }
      const wallet: DelegatedWallet = {
        address,
        walletId,
        setId,
        user,
        share: toBase64Url(encode(codecs.keyShare, share)),
      }
      eraseShare(share)
      await keep(wallet)
      await relay.post({ ...commit, answer: oneWallet, authority: { user, operation, hash }, device })
      return wallet
    },
    async signTransaction(wallet, transaction) {
      const read = readTransaction(transaction, wallet.address)
      const signature = await sign(wallet, 'transaction', Uint8Array.from(read.message))
      return withSignature(read, wallet.address, signature)
    },
    signMessage: (wallet, message) => sign(wallet, 'message', Uint8Array.from(message)),
  }
}
