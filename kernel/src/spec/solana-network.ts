/**
 * Solana network (S3.2) and its only check, for every source: `solana({ networks })`, the API's settings and the
 * API's environments. Pages open and show these URLs, so their schemes are checked.
 */
import { firstWrongField, flag, list, optional, type Rule, type Rules, record } from './check.js'

/** Currency of transaction fees. */
export interface NativeCurrency {
  /** Solana: 9 (1 SOL = 1e9 lamports). */
  readonly decimals: number
  readonly name: string
  readonly symbol: string
  /** ID of the currency at the price service. */
  readonly pricingProviderTokenId?: string | undefined
  /** `https`, or a `data:image/` URL. */
  readonly iconUrl?: string | undefined
}
/** Networks that the kit knows without a record of the app's own. */
export type SolanaCluster = 'mainnet-beta' | 'testnet' | 'devnet' | 'localnet'

export interface SolanaNetwork {
  /** 101 mainnet, 102 testnet, 103 devnet. */
  readonly chainId: number
  readonly networkId: number
  /** The part after `solana:` of the Wallet Standard chain, except that mainnet is `mainnet-beta`. */
  readonly cluster: string
  /** Base58. Empty for chains that reset on every start. */
  readonly genesisHash: string
  readonly name: string
  readonly vanityName?: string | undefined
  /** Short stable name for storage and URLs. */
  readonly key: string
  /** Tried in order. */
  readonly rpcUrls: readonly string[]
  /** The customer's own nodes, tried before `rpcUrls`. They may hold API keys, so they are never logged. */
  readonly privateCustomerRpcUrls?: readonly string[] | undefined
  readonly blockExplorerUrls: readonly string[]
  /** `https`, or `data:image/` URLs. */
  readonly iconUrls: readonly string[]
  readonly isTestnet: boolean
  readonly nativeCurrency: NativeCurrency
}

const MAX_ICON_CHARACTERS = 100_000

function matches(pattern: RegExp): Rule<string> {
  return (value): value is string => typeof value === 'string' && pattern.test(value)
}

function integer(min: number, max: number): Rule<number> {
  return (value): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
}
/** Single line of visible text: no control, direction or zero-width characters. */
const label = matches(/^(?!\s)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}$/u)
/**
 * The URL parser drops spaces and line breaks, so they are rejected first. User names and passwords are not allowed.
 */
const httpUrl: Rule<string> = (value): value is string => {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s\\\p{Cc}]{1,2040}$/iu.test(value) || !URL.canParse(value))
    return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}
const httpUrls = list(httpUrl)
const isPicture = matches(/^data:(image\/[\w.+-]+[;,]\P{Cc}*|,)$/iu)
const icon: Rule<string> = (value): value is string =>
  isPicture(value) ? value.length <= MAX_ICON_CHARACTERS : httpUrl(value) && new URL(value).protocol === 'https:'

function nativeCurrency(): Rules<NativeCurrency> {
  return {
    decimals: integer(0, 18),
    name: label,
    symbol: label,
    pricingProviderTokenId: optional(label),
    iconUrl: optional(icon),
  }
}

function rules(): Rules<SolanaNetwork> {
  return {
    chainId: integer(1, Number.MAX_SAFE_INTEGER),
    networkId: integer(1, Number.MAX_SAFE_INTEGER),
    cluster: matches(/^[a-z0-9][a-z0-9-]{0,31}$/),
    genesisHash: matches(/^([1-9A-HJ-NP-Za-km-z]{32,44})?$/),
    name: label,
    vanityName: optional(label),
    key: matches(/^\w[\w-]{0,63}$/),
    rpcUrls: (value): value is readonly string[] => httpUrls(value) && value.length > 0,
    privateCustomerRpcUrls: optional(httpUrls),
    blockExplorerUrls: httpUrls,
    iconUrls: list(icon),
    isTestnet: flag,
    nativeCurrency: record(nativeCurrency()),
  }
}

const ADDRESSES = 'a list of http or https addresses, without user name and password'
const EXPECTED: { readonly [field: string]: string } = {
  chainId: 'a positive whole number',
  networkId: 'a positive whole number',
  cluster: 'lower-case letters, digits and dashes, 32 at most',
  genesisHash: 'base58 of 32 bytes, or empty',
  name: 'text of 1 to 64 characters',
  vanityName: 'text of 1 to 64 characters',
  key: 'letters, digits, dashes and underscores, 64 at most',
  rpcUrls: `${ADDRESSES}, at least one`,
  privateCustomerRpcUrls: ADDRESSES,
  blockExplorerUrls: ADDRESSES,
  iconUrls: 'a list of https addresses or data:image URLs',
  isTestnet: 'true or false',
  nativeCurrency:
    '{ decimals: a whole number from 0 to 18, name, symbol, pricingProviderTokenId?, iconUrl?: https or data:image }',
}

/** Returns the network's name if it is safe to show, else its position in the list. */
function getTitle(value: unknown, index: number): string {
  const title: unknown = Object(value).name
  return label(title) ? `networks[${index}] ("${title}")` : `networks[${index}]`
}

/** Describes what is wrong with a list of networks, without values: URLs may hold API keys. */
export function solanaNetworksProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'networks: a list is expected'
  for (const [index, network] of Array.from<unknown>(value).entries()) {
    const field = firstWrongField(rules(), network)
    if (field === undefined) continue
    const shown = `expected ${Object.hasOwn(EXPECTED, field) ? EXPECTED[field] : 'a network record with the fields of SolanaNetwork and no other'}`
    return `SolanaNetwork.${field.slice(0, 64)} of ${getTitle(network, index)}: ${shown}`
  }
  return undefined
}
