/** Defines what an environment allows: read from the operator's file, with defaults that suit the sandbox. */
import {
  ENVIRONMENTS,
  MFA_ACTIONS,
  MFA_METHODS,
  type SolanaNetwork,
  solanaNetworksProblem,
  THRESHOLD_SIGNATURE_SCHEMES,
} from '@keybay/kernel/spec'
import { isLocalUrl, isOrigin } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { recordKeySchema } from './embedded/relay-keys.js'
import { sponsorshipSchema } from './solana/policy.js'

const origin = v.pipe(v.string(), v.check(isOrigin, 'An origin is scheme, host and port'))
const keysUrl = v.pipe(
  v.string(),
  v.url(),
  v.check(text => isLocalUrl(text) || text.startsWith('https:'), 'Verification keys need an https URL'),
)
const onByDefault = v.optional(v.boolean(), true)
const offByDefault = v.optional(v.boolean(), false)
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))
const price = v.pipe(v.number(), v.minValue(0), v.maxValue(1_000_000))
const networks = v.pipe(
  v.custom<readonly SolanaNetwork[]>(Array.isArray, 'A list is expected'),
  v.check(
    value => solanaNetworksProblem(value) === undefined,
    ({ input }) => solanaNetworksProblem(input) ?? '',
  ),
)

const settingsSchema = v.strictObject({
  name: v.optional(v.string(), 'Sandbox'),
  kind: v.optional(v.picklist(ENVIRONMENTS), 'sandbox'),
  /** Pages that may use the environment. A wallet's message may name only their hosts as its domain. */
  allowedOrigins: v.pipe(v.array(origin), v.minLength(1)),
  /** Wallet frames, which may request the user's second factor and nothing else. */
  frameOrigins: v.optional(v.array(origin), []),
  signIn: v.optional(
    v.strictObject({
      wallet: onByDefault,
      /**
       * Accepts a signed transaction from wallets that sign no messages, as hardware wallets. No wallet compares the
       * domain in a transaction with the page, so a phishing page can sign in as the user who signs one there.
       */
      walletTransaction: offByDefault,
      email: onByDefault,
      /** Default: on, but in a live environment only with `sms.countries`. */
      phone: v.optional(v.boolean()),
      passkey: onByDefault,
      external: offByDefault,
      /** IDs of providers; a provider is on only if it has credentials. */
      social: v.optional(v.array(v.string()), []),
    }),
    {},
  ),
  /** Budgets of text messages, which cost money. A day is 24 hours from the first message. */
  sms: v.optional(
    v.strictObject({
      /** ISO 3166-1 alpha-2 codes of the countries whose numbers may receive codes; absent: all. */
      countries: v.optional(
        v.array(v.pipe(v.string(), v.regex(/^([A-Z]{2}|001)$/, 'A country is two capital letters'))),
      ),
      mostPerDay: v.optional(count, 1000),
      mostPerCountryAndDay: v.optional(count, 500),
      /** Price of one message by country, and of the others as `other`, in any currency. */
      prices: v.optional(v.record(v.string(), price), {}),
      /** Amount that the messages of a day may cost, in the currency of `prices`; absent: no limit. */
      costPerDay: v.optional(price),
    }),
    {},
  ),
  /** Requirements before the session may do anything else: verify-email, verify-sms. */
  required: v.optional(v.strictObject({ email: offByDefault, phone: offByDefault }), {}),
  mfa: v.optional(
    v.strictObject({
      methods: v.optional(v.array(v.picklist(MFA_METHODS)), [...MFA_METHODS]),
      /** Actions that require a second factor from users who have one. */
      actions: v.optional(v.array(v.picklist(MFA_ACTIONS)), [...MFA_ACTIONS]),
      atSignIn: onByDefault,
    }),
    {},
  ),
  socialLinking: onByDefault,
  /** Allows merging two users that prove to be the same user. One credential of the other user is enough to end it. */
  merge: offByDefault,
  passkey: v.optional(v.strictObject({ rpId: v.string(), rpName: v.string() })),
  /** Issuer and keys of the host's own tokens, and the audience that only tokens for this environment have. */
  externalJwt: v.optional(
    v.strictObject({ issuer: v.string(), audience: v.pipe(v.string(), v.nonEmpty()), jwksUrl: keysUrl }),
  ),
  session: v.optional(
    v.strictObject({
      /** Lifetime of an access token, in seconds; its refresh token and session key renew it. */
      accessTokenSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(3600)), 600),
      days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)), 30),
    }),
    {},
  ),
  networks: v.optional(networks, []),
  /** Limits for what the optimizer adds to Solana transactions, and for what it pays. */
  transactions: v.optional(
    v.strictObject({
      priorityPercentile: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 50),
      /** Maximum priority fee, in lamports. */
      maxPriorityLamports: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000)),
        50_000,
      ),
      /** If absent, nothing is sponsored. */
      sponsorship: v.optional(sponsorshipSchema),
    }),
    {},
  ),
  custody: v.optional(
    v.strictObject({
      enabled: offByDefault,
      emailRecovery: onByDefault,
      /** Makes new wallets require this service's consent, and the second factor of `mfa.actions`. */
      secondFactor: offByDefault,
    }),
    {},
  ),
  embeddedWallets: v.optional(
    v.strictObject({
      /** If off, the relays create and import no wallets. Existing wallets still work. */
      enabled: offByDefault,
      /** Used when the app names no scheme. */
      thresholdSignatureScheme: v.optional(v.picklist(THRESHOLD_SIGNATURE_SCHEMES), 'TWO_OF_THREE'),
      mostPerUser: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 5),
      /** R1's record keys: a wallet counts only if one of them signed its record. */
      recordKeys: v.optional(v.pipe(v.array(recordKeySchema), v.minLength(1))),
    }),
    {},
  ),
})
export type EnvironmentSettings = v.InferInput<typeof settingsSchema>

type Settings = v.InferOutput<typeof settingsSchema>

export interface Environment extends Settings {
  readonly id: string
  readonly signIn: Settings['signIn'] & { readonly phone: boolean }
  /** Origins that may call from a browser: pages and wallet frames. */
  readonly origins: ReadonlySet<string>
  readonly pageOrigins: ReadonlySet<string>
  /** Host and port of each page origin, as a wallet's message contains them. */
  readonly domains: ReadonlySet<string>
  readonly relyingParty: { readonly id: string; readonly name: string }
}

const environmentId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

/** @param providers the social providers that there are @throws Error that names the environment and the field */
export function readEnvironments(
  settings: Readonly<Record<string, EnvironmentSettings>>,
  providers: ReadonlySet<string>,
): ReadonlyMap<string, Environment> {
  return new Map(
    Object.entries(settings).map(([id, raw]) => {
      const parsed = v.safeParse(settingsSchema, raw)
      if (!parsed.success || !v.is(environmentId, id)) {
        const issue = parsed.issues?.[0]
        const what = issue ? `${v.getDotPath(issue) ?? 'settings'}: ${issue.message}` : 'not a valid id'
        throw new Error(`api cannot start: environment "${id}": ${what}`)
      }
      const { allowedOrigins, frameOrigins, signIn } = parsed.output
      const unknown = signIn.social.find(provider => !providers.has(provider))
      if (unknown !== undefined)
        throw new Error(`api cannot start: environment "${id}": signIn.social: there is no provider "${unknown}"`)
      if (frameOrigins.some(frameOrigin => allowedOrigins.includes(frameOrigin)))
        throw new Error(
          `api cannot start: environment "${id}": frameOrigins: a wallet frame needs an origin of its own`,
        )
      const hosts = allowedOrigins.map(allowedOrigin => new URL(allowedOrigin))
      const { rpId = hosts[0]?.hostname ?? '', rpName = parsed.output.name } = parsed.output.passkey ?? {}
      const environment: Environment = {
        ...parsed.output,
        id,
        signIn: { ...signIn, phone: hasPhone(id, parsed.output) },
        origins: new Set([...allowedOrigins, ...frameOrigins]),
        pageOrigins: new Set(allowedOrigins),
        domains: new Set(hosts.map(({ host }) => host)),
        relyingParty: { id: rpId, name: rpName },
      }
      return [id, environment]
    }),
  )
}

/** @throws Error when a live environment would send text messages to every country */
function hasPhone(id: string, { kind, signIn: { phone }, sms: { countries } }: Settings): boolean {
  if (kind !== 'live' || countries) return phone ?? true
  if (phone)
    throw new Error(
      `api cannot start: environment "${id}": sms.countries: name the countries that may receive text messages, or set signIn.phone to false`,
    )
  return false
}

/** Returns a Solana chain on this machine, the only network of the default environment. */
export function localNetwork(rpcUrl: string): SolanaNetwork {
  return {
    chainId: 104,
    networkId: 104,
    cluster: 'localnet',
    genesisHash: '',
    name: 'Solana Localnet',
    key: 'solana-localnet',
    rpcUrls: [rpcUrl],
    blockExplorerUrls: [],
    iconUrls: [],
    isTestnet: true,
    nativeCurrency: { decimals: 9, name: 'Solana', symbol: 'SOL' },
  }
}
