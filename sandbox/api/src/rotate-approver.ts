/**
 * Moves every wallet that requires a second factor to the approver's newest key: `npm run rotate-approver -w
 * sandbox/api`. A wallet gets the new key before it loses the old ones, so a rotation that is killed or run twice locks
 * no wallet.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockFolder, runCommand } from '@keybay/sandbox-service'
import { replaceFile } from '@keybay/sandbox-service/secrets'
import { readCommandEnv } from '@keybay/sandbox-service/settings'
import type { TurnkeyClient } from '@turnkey/http'
import { optionsFromEnv } from './config.js'
import { type ApproverKey, loadApproverKeys, writeApproverKeys } from './custody/approver-keys.js'
import { type CustodyOperator, finish } from './custody/client.js'
import { getClient, newKey } from './custody/keys.js'
import { SETTINGS } from './settings.js'

const PAGE = 100
/** Maximum number of keys that custody deletes at once. */
const MAX_DELETED = 16
/** Time for which the file's old key still approves, for a service that has not read the new key yet. */
const OVERLAP_MS = 24 * 60 * 60_000

interface Rotation {
  readonly baseUrl: string
  readonly operator: CustodyOperator
  readonly keys: readonly ApproverKey[]
}
type Guard = Awaited<ReturnType<TurnkeyClient['getUsers']>>['users'][number]

function readPublicKey({ credential }: Guard['apiKeys'][number]): string {
  return credential.publicKey.toLowerCase()
}

async function* getOrganizations(client: TurnkeyClient, organizationId: string): AsyncGenerator<string> {
  const seen = new Set<string>()
  for (let after: string | undefined; ; ) {
    const paginationOptions = { limit: String(PAGE), ...(after !== undefined && { after }) }
    const { organizationIds } = await client.getSubOrgIds({ organizationId, paginationOptions })
    const fresh = organizationIds.filter(id => !seen.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) seen.add(id)
    yield* fresh
    after = fresh.at(-1)
  }
}

/** @returns true if there was anything to do */
async function moveWallet({ baseUrl, operator, keys }: Rotation, organizationId: string): Promise<boolean> {
  const [newest] = keys
  const { users } = await getClient(baseUrl, operator).getUsers({ organizationId })
  const isKnown = (publicKey: string) => keys.some(key => key.publicKey === publicKey)
  const guard = users.find(({ apiKeys }) => apiKeys.some(key => isKnown(readPublicKey(key))))
  if (!guard || !newest) return false
  const { userId, apiKeys } = guard
  const others = apiKeys.filter(key => readPublicKey(key) !== newest.publicKey)
  if (others.length === 0) return false
  const base = () => ({ organizationId, timestampMs: String(Date.now()) })
  if (others.length === apiKeys.length) {
    // The wallet has a known key, because its approver user was found by one.
    const known = keys.find(({ publicKey }) => apiKeys.some(key => readPublicKey(key) === publicKey)) ?? newest
    const client = getClient(baseUrl, known)
    const apiKey = { apiKeyName: 'Approver', publicKey: newest.publicKey, curveType: 'API_KEY_CURVE_P256' as const }
    const parameters = { userId, apiKeys: [apiKey] }
    const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'
    await finish(client, await client.createApiKeys({ type, ...base(), parameters }))
  }
  // Delete with the new key, which proves that it works before the last old key is removed.
  const client = getClient(baseUrl, newest)
  const ids = others.map(({ apiKeyId }) => apiKeyId)
  for (let start = 0; start < ids.length; start += MAX_DELETED) {
    const parameters = { userId, apiKeyIds: ids.slice(start, start + MAX_DELETED) }
    const type = 'ACTIVITY_TYPE_DELETE_API_KEYS'
    await finish(client, await client.deleteApiKeys({ type, ...base(), parameters }))
  }
  return true
}

/** @throws Error when some wallets could not be moved; all others have been moved */
async function moveWallets(rotation: Rotation): Promise<number> {
  const { baseUrl, operator } = rotation
  let moved = 0
  let failed = 0
  let reason: unknown
  for await (const organizationId of getOrganizations(getClient(baseUrl, operator), operator.organizationId)) {
    // Retry once, because a second rotation may run at the same time.
    const work = moveWallet(rotation, organizationId).catch(() => moveWallet(rotation, organizationId))
    const outcome = await work.catch((error: unknown) => {
      reason = error
      return undefined
    })
    if (outcome === undefined) failed++
    else if (outcome) moved++
  }
  if (failed === 0) return moved
  const why = reason instanceof Error ? reason.message : String(reason)
  throw new Error(`${failed} wallets still have an old approver key, ${moved} were moved. Run this again. (${why})`)
}

/** Adds a successor to the file's key. A rotation that is already pending continues with the existing keys. */
function withSuccessor(keys: readonly ApproverKey[]): readonly ApproverKey[] {
  const [current, ...older] = keys
  if (!current || older.length > 0) return keys
  return [newKey(), { ...current, until: Date.now() + OVERLAP_MS }]
}

/** Rotates to the first of the keys that the environment sets. */
async function rotateGiven(rotation: Rotation): Promise<string> {
  const moved = await moveWallets(rotation)
  return `${moved} wallets were moved to the first key. Take older keys out of CUSTODY_APPROVER_KEYS after their date.`
}

/** Rotates the keys of a file, in its own folder. */
async function rotateFile(file: string, { baseUrl, operator }: Omit<Rotation, 'keys'>): Promise<string> {
  const unlock = await lockFolder(dirname(file))
  try {
    const keys = withSuccessor(loadApproverKeys({ file })())
    replaceFile(file, writeApproverKeys(keys))
    const moved = await moveWallets({ baseUrl, operator, keys })
    const left = keys.filter(({ until }) => until === undefined || until > Date.now())
    replaceFile(file, writeApproverKeys(left))
    const dates = left.flatMap(({ until }) => until ?? [])
    const next =
      dates.length === 0
        ? 'The old key is gone.'
        : `Run this again after ${new Date(Math.max(...dates)).toISOString()} to remove the old key.`
    return `${moved} wallets were moved to the newest key. ${next}`
  } finally {
    unlock()
  }
}

/** @returns the text for the operator @throws Error that says what is not configured, or how many wallets are left */
export async function rotateApprover(env: NodeJS.ProcessEnv): Promise<string> {
  const { custody, dataDir } = optionsFromEnv(env)
  const operator = custody?.operator()
  if (!custody || !operator) throw new Error('The operator’s key at custody is not configured.')
  const { baseUrl, approverKeys: json } = custody
  if (json) return rotateGiven({ baseUrl, operator, keys: loadApproverKeys({ json })() })
  if (!dataDir) throw new Error('There are no approver keys: set CUSTODY_APPROVER_KEYS or KEYBAY_DATA_DIR.')
  return rotateFile(join(dataDir, 'approver', 'keys.json'), { baseUrl, operator })
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runCommand('api', () => rotateApprover(readCommandEnv('api', SETTINGS)))
