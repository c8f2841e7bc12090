/** Settings that an operator makes for each environment, with defaults for the sandbox. */

import { readFileSync, statSync } from 'node:fs'
import { isOrigin } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { publicJwk } from './crypto/jwk.js'
import { exactBytes } from './http/fields.js'

const url = v.pipe(v.string(), v.url())
const origin = v.pipe(v.string(), v.check(isOrigin, 'An origin is scheme, host and port'))
/** A server that users may let sign for them, with the keys that the server generated. */
const delegate = v.strictObject({
  /** Name shown to the user for consent. */
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64)),
  /** X25519 key that the delegate's share is sealed to, base64url. */
  sealingKey: exactBytes(32),
  /** P-256 key that signs the delegate's requests. */
  deviceKey: publicJwk,
})
export type ListedDelegate = v.InferOutput<typeof delegate>
const delegateList = v.pipe(v.array(delegate), v.maxLength(256))

const settingsSchema = v.strictObject({
  /** URL at which this service reaches the product API, with `/api/v0`. */
  apiUrl: url,
  /** Issuer of the API's access tokens: its public address, `/sdk/` and the environment's ID. */
  issuer: url,
  /** Token of the host's server, for MFA tokens; default: RELAY_API_TOKEN. */
  apiToken: v.optional(v.string()),
  /** Origins of the host's pages, whose session signatures count. */
  hostOrigins: v.pipe(v.array(origin), v.minLength(1)),
  /** Origins of the wallet frame, which may call from a browser. */
  frameOrigins: v.pipe(v.array(origin), v.minLength(1)),
  /** Solana JSON-RPC, for lookup tables. */
  rpcUrl: url,
  /** Servers that users may let sign for them. */
  delegates: v.optional(delegateList, []),
  /** JSON file with delegates, reloaded when it changes, so that changes need no restart. */
  delegatesFile: v.optional(v.string()),
  /** Enables `signRawMessage`, whose content cannot be checked; default: off. */
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
      const { hostOrigins, frameOrigins } = parsed.output
      if (frameOrigins.some(frameOrigin => hostOrigins.includes(frameOrigin)))
        throw new Error(
          `relay cannot start: environment "${id}": frameOrigins: a wallet frame needs an origin of its own`,
        )
      return [id, { ...parsed.output, id }]
    }),
  )
}

interface Read {
  /** ms since epoch */
  readonly changedAt: number
  readonly delegates: readonly ListedDelegate[]
}
const files = new Map<string, Read>()

/** Reads the operator's file. A missing or unreadable file lists no delegates, rather than the previous delegates. */
function fromFile(path: string): readonly ListedDelegate[] {
  try {
    const { mtimeMs: changedAt } = statSync(path)
    const known = files.get(path)
    if (known?.changedAt === changedAt) return known.delegates
    const delegates = v.parse(delegateList, JSON.parse(readFileSync(path, 'utf8')))
    files.set(path, { changedAt, delegates })
    return delegates
  } catch {
    files.delete(path)
    return []
  }
}

export function getDelegates({ delegates, delegatesFile }: Environment): readonly ListedDelegate[] {
  return delegatesFile === undefined ? delegates : [...delegates, ...fromFile(delegatesFile)]
}
