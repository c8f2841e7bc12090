/** Creates the adapter of `@solana-mobile/wallet-adapter-mobile` for one trip, and reads what it returns. */
import { field } from '@keybay/kernel/spec'
import type { AppIdentity } from '@solana-mobile/mobile-wallet-adapter-protocol'
import { type AuthorizationResultCache, SolanaMobileWalletAdapter } from '@solana-mobile/wallet-adapter-mobile'
import type { IdentifierString } from '@wallet-standard/base'
import bs58 from 'bs58'
import { KEY_BYTES, readBase64, toBase64 } from './payloads.js'
import type { Authorisation, Capabilities } from './record.js'

const MAX_TOKEN_LENGTH = 8192
const SIGNS_TRANSACTIONS = 'solana:signTransactions'

type CachedResult = Parameters<AuthorizationResultCache['set']>[0]
export interface AdapterOptions {
  readonly chain: IdentifierString
  readonly identity: AppIdentity
  /** The authorisation to renew; undefined to connect. A sign-in needs that, or the adapter returns an old proof. */
  readonly authorisation?: Authorisation
  /** The account that signs. An adapter signs with one account only. */
  readonly address?: string
  /** Receives each new authorisation before the adapter uses it. If this throws, the adapter sends no further request. */
  onAuthorised(result: unknown): void
}
/** Reads the result of an authorisation; undefined if it has the wrong form. */
export function readAuthorisation(
  result: unknown,
  previous: Pick<Authorisation, 'chain' | 'uriBase' | 'capabilities'>,
): Authorisation | undefined {
  const token = field(result, 'auth_token')
  const list = field(result, 'accounts')
  const uriBase = field(result, 'wallet_uri_base') ?? previous.uriBase
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH || typeof uriBase !== 'string') return undefined
  if (!Array.isArray(list) || !list.length) return undefined
  const accounts = list.map(readAccount)
  if (!accounts.every(account => account !== undefined)) return undefined
  const capabilities = readCapabilities(field(result, 'capabilities')) ?? previous.capabilities
  return { chain: previous.chain, accounts, token, uriBase, ...(capabilities && { capabilities }) }
}
/** The adapter adds the public key; the protocol has it in base64 as the address. */
function readAccount(account: unknown): Authorisation['accounts'][number] | undefined {
  const publicKey = field(account, 'publicKey') ?? readBase64(field(account, 'address'))
  const label = field(account, 'label') ?? ''
  if (!(publicKey instanceof Uint8Array) || publicKey.length !== KEY_BYTES || typeof label !== 'string')
    return undefined
  return { address: bs58.encode(publicKey), ...(label && { label }) }
}

function readCapabilities(capabilities: unknown): Capabilities | undefined {
  const features = field(capabilities, 'features')
  if (!Array.isArray(features)) return undefined
  const signs = features.includes(SIGNS_TRANSACTIONS)
  return { signs, sends: !signs || field(capabilities, 'supports_sign_and_send_transactions') === true }
}

function toCachedResult({ accounts, token, uriBase, capabilities }: Authorisation, chain: IdentifierString) {
  return {
    auth_token: token,
    wallet_uri_base: uriBase,
    chain,
    accounts: accounts.map(({ address, label = '' }) => {
      const publicKey = bs58.decode(address)
      return { address, publicKey, label, chains: [chain], features: [] }
    }),
    capabilities: {
      max_transactions_per_request: 0,
      max_messages_per_request: 0,
      supported_transaction_versions: [],
      supports_clone_authorization: false,
      supports_sign_and_send_transactions: capabilities?.sends ?? true,
      features: (capabilities?.signs ?? true) ? [SIGNS_TRANSACTIONS] : [],
    },
  } satisfies CachedResult
}

export function createAdapter(options: AdapterOptions): SolanaMobileWalletAdapter {
  const { chain, identity, authorisation, address, onAuthorised } = options
  const selected = address && toBase64(bs58.decode(address))
  let cached: CachedResult | undefined = authorisation && toCachedResult(authorisation, chain)
  return new SolanaMobileWalletAdapter({
    chain,
    appIdentity: identity,
    addressSelector: { select: async ([first = '', ...others]) => others.find(other => other === selected) ?? first },
    authorizationResultCache: {
      get: async () => cached,
      // Not async: an error must stop the adapter.
      set(result) {
        onAuthorised(result)
        cached = result
        return Promise.resolve()
      },
      // The adapter clears its cache after any failure; the session decides what ends an authorisation.
      clear: async () => {},
    },
    onWalletNotFound: async () => {},
  })
}
/** Connects an adapter from its cached authorisation, without a trip, and waits until it selected its account. */
export async function connectFromCache(adapter: SolanaMobileWalletAdapter): Promise<void> {
  const selected = new Promise<void>(resolve => adapter.once('connect', () => resolve()))
  await adapter.performAuthorization()
  await selected
}
