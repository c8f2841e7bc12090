/** What an operator says of each environment, with defaults that suit the sandbox. */
import * as v from 'valibot'
import { publicJwk } from './crypto/jwk.js'
import { exactBytes } from './http/fields.js'

const url = v.pipe(v.string(), v.url())
const origin = v.pipe(
  v.string(),
  v.check(text => URL.canParse(text) && new URL(text).origin === text, 'An origin is scheme, host and port'),
)
/** A server that people may let sign for them, with the keys that it made for itself. */
const delegate = v.strictObject({
  /** As people read it when they agree. */
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64)),
  /** X25519, base64url: its share is sealed for it. */
  sealingKey: exactBytes(32),
  /** P-256: its requests are signed by it. */
  deviceKey: publicJwk,
})
export type ListedDelegate = v.InferOutput<typeof delegate>
export const delegateList = v.pipe(v.array(delegate), v.maxLength(256))

const settingsSchema = v.strictObject({
  /** How this service reaches the product API, with `/api/v0`. */
  apiUrl: url,
  /** As in its access tokens: its public address, `/sdk/` and the environment's id. */
  issuer: url,
  /** Of the host's server, for MFA tokens; by default RELAY_API_TOKEN. */
  apiToken: v.optional(v.string()),
  /** Pages of the host: whose session signatures count. */
  hostOrigins: v.pipe(v.array(origin), v.minLength(1)),
  /** The wallet frame: who may call from a browser. */
  frameOrigins: v.pipe(v.array(origin), v.minLength(1)),
  /** Solana JSON-RPC, for lookup tables. */
  rpcUrl: url,
  /** Lamports in 24 hours that pass unasked under no policy. */
  unaskedDailyLimit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,19}$/)), '1000000000'),
  /** Servers that people may let sign for them. */
  delegates: v.optional(delegateList, []),
  /** The same as a JSON file, which is read anew when it changes: servers come and go without a new start. */
  delegatesFile: v.optional(v.string()),
  /** `signRawMessage`, which nobody can check: off. */
  rawMessages: v.optional(v.boolean(), false),
})
export type EnvironmentSettings = v.InferInput<typeof settingsSchema>
export interface Environment extends v.InferOutput<typeof settingsSchema> {
  readonly id: string
}

const environmentId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

/** @throws Error that names the environment and the field */
export function readEnvironments(
  settings: Readonly<Record<string, EnvironmentSettings>>,
): ReadonlyMap<string, Environment> {
  return new Map(
    Object.entries(settings).map(([id, raw]) => {
      const parsed = v.safeParse(settingsSchema, raw)
      if (!parsed.success || !v.is(environmentId, id)) {
        const issue = parsed.issues?.[0]
        const what = issue ? `${v.getDotPath(issue) ?? 'settings'}: ${issue.message}` : 'not a valid id'
        throw new Error(`relay cannot start: environment "${id}": ${what}`)
      }
      return [id, { ...parsed.output, id }]
    }),
  )
}
