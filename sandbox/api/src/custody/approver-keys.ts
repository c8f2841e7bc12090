/**
 * Keys of the approver, which is the second key of wallets that require a second factor. The first key serves new
 * wallets; each older key approves until its date, so that wallets can be moved to the first (`npm run
 * rotate-approver`).
 */
import { readOrWrite } from '@keybay/sandbox-service/secrets'
import type { TurnkeyClient } from '@turnkey/http'
import * as v from 'valibot'
import { type CustodyKey, getClient, newKey, readPublicKey } from './keys.js'

export interface ApproverKey extends CustodyKey {
  /** Time from which the key approves nothing, in ms since epoch. The first key has none. */
  readonly until?: number
}
/** Returns at least one key. Rereads a file on each call, so that a rotation reaches a running service. */
export type ApproverKeys = () => readonly ApproverKey[]

const VARIABLE = 'CUSTODY_APPROVER_KEYS'
const MAX_KEYS = 16

const keySchema = v.pipe(
  v.strictObject({
    privateKey: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/i), v.toLowerCase()),
    until: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/),
        v.transform(Date.parse),
        v.number(),
      ),
    ),
  }),
  v.transform(({ privateKey, until }): ApproverKey | undefined => {
    const publicKey = readPublicKey(privateKey)
    return publicKey === undefined ? undefined : { publicKey, privateKey, ...(until !== undefined && { until }) }
  }),
)
const keysSchema = v.pipe(v.array(keySchema), v.minLength(1), v.maxLength(MAX_KEYS))

/** @throws Error that names the source of the wrong keys, and never quotes them */
export function readApproverKeys(text: string, source: string): readonly ApproverKey[] {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), keysSchema), text)
  const keys = read.success ? read.output.filter(key => key !== undefined) : []
  const problem =
    !read.success || keys.length < read.output.length
      ? 'does not hold the approver’s keys'
      : keys[0]?.until !== undefined
        ? 'has a date on its first key, which makes new wallets'
        : keys.slice(1).some(({ until }) => until === undefined)
          ? 'has an older key without a date'
          : new Set(keys.map(({ publicKey }) => publicKey)).size < keys.length && 'has the same key twice'
  if (problem) throw new Error(`api cannot start: ${source} ${problem}. See the README for their form.`)
  return keys
}

export function writeApproverKeys(keys: readonly ApproverKey[]): string {
  const rows = keys.map(({ privateKey, until }) => ({
    privateKey,
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  }))
  return JSON.stringify(rows, null, 2)
}

export interface ApproverKeySource {
  readonly json?: string | undefined
  /** File in which the first start creates a key. Without a file, the key is lost when the process ends. */
  readonly file?: string | undefined
  /** Set if several instances use the keys, because a file on one machine is then not enough. */
  readonly isShared?: boolean
}

/** @throws Error when the source does not hold keys */
export function loadApproverKeys({ json, file, isShared = false }: ApproverKeySource): ApproverKeys {
  if (isShared && !json)
    throw new Error(
      `api cannot start: an environment has custody.secondFactor and the database is shared. Set ${VARIABLE}, the same for every instance.`,
    )
  const fresh = () => writeApproverKeys([newKey()])
  if (json || !file) {
    const keys = readApproverKeys(json || fresh(), VARIABLE)
    return () => keys
  }
  const load = () => readApproverKeys(readOrWrite(file, fresh), file)
  load()
  return load
}

export interface CustodyUser {
  readonly userId: string
  readonly apiKeys: readonly { readonly apiKeyId: string; readonly credential: { readonly publicKey: string } }[]
  readonly authenticators: readonly { readonly authenticatorId: string; readonly credentialId: string }[]
  readonly userTags: readonly string[]
}

export interface Approver {
  /** Key for new wallets; 33 bytes, hex. */
  readonly publicKey: string
  /** Finds the approver's own user in a sub-organization by any of its keys, including keys past their date. */
  getGuard<U extends CustodyUser>(users: readonly U[]): U | undefined
  /** Returns a client with the user's newest key; undefined if the key is past its date or unknown. */
  clientFor(guard: CustodyUser): TurnkeyClient | undefined
}

function hasKey({ apiKeys }: CustodyUser, publicKey: string): boolean {
  return apiKeys.some(({ credential }) => credential.publicKey.toLowerCase() === publicKey)
}

interface Asked {
  /** ms since epoch */
  readonly now: number
  /** ID of the request that custody is called for. */
  readonly requestId: string | undefined
}

export function createApprover(baseUrl: string, keys: readonly ApproverKey[], { now, requestId }: Asked): Approver {
  const [newest] = keys
  if (!newest) throw new Error('The approver has no key.')
  return {
    publicKey: newest.publicKey,
    getGuard: users => users.find(user => keys.some(({ publicKey }) => hasKey(user, publicKey))),
    clientFor(guard) {
      const valid = keys.filter(({ until = Number.POSITIVE_INFINITY }) => now < until)
      const key = valid.find(({ publicKey }) => hasKey(guard, publicKey))
      return key && getClient(baseUrl, key, requestId)
    },
  }
}
