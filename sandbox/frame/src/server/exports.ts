/**
 * The export windows of key custody, by environment: who may embed one, and what its bundles are signed with. Turnkey's own key
 * is in its client; the sandbox's custody makes one at its first start, and is asked for it over the loopback interface, once.
 */
import { readFileSync } from 'node:fs'
import { address, integer } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { type ExportConfiguration, readExportConfiguration } from '../configuration/export.js'
import { localParentOrigins } from './environments.js'

/** Environment id → its configuration. An environment that is not here has no export window. */
export type Exports = Readonly<Record<string, () => Promise<ExportConfiguration>>>

const enclaveSchema = v.object({ signerPublicKey: v.string() })
const fileSchema = v.array(
  v.object({
    environmentId: v.string(),
    parentOrigins: v.array(v.string()),
    custody: v.optional(v.strictObject({ signerPublicKey: v.optional(v.string()) })),
  }),
)
const PATIENCE_MS = 5_000

/**
 * What the environment variables ask for; the README lists them.
 *
 * @throws Error that names a variable with a wrong value
 */
export function readExports(env: NodeJS.ProcessEnv): Exports {
  const file = env.FRAME_ENVIRONMENTS_FILE
  if (file) return fromFile(file)
  if (env.CUSTODY_URL === 'off') return {}
  const port = integer(env, 'frame', 'CUSTODY_PORT', 4400, [1, 65_535])
  const signer = sandboxSigner(address(env, 'frame', 'CUSTODY_URL', `http://127.0.0.1:${port}`).replace(/\/$/, ''))
  const parentOrigins = localParentOrigins(env)
  return { local: async () => readExportConfiguration({ parentOrigins, signerPublicKey: await signer() }) }
}

function fromFile(file: string): Exports {
  const { success, output, issues } = v.safeParse(fileSchema, JSON.parse(readFileSync(file, 'utf8')))
  if (!success) throw new Error(`frame cannot start: FRAME_ENVIRONMENTS_FILE: ${v.getDotPath(issues[0]) ?? 'custody'}`)
  return Object.fromEntries(
    output.flatMap(({ environmentId, parentOrigins, custody }) => {
      if (!custody) return []
      const configuration = readExportConfiguration({ parentOrigins, ...custody })
      return [[environmentId, async () => configuration]]
    }),
  )
}

function sandboxSigner(url: string): () => Promise<string> {
  let known: string | undefined
  return async () => {
    if (known !== undefined) return known
    const response = await fetch(`${url}/enclave`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      (error: unknown) => {
        throw new Error(`Custody does not answer at ${url}: ${String(error)}`)
      },
    )
    const { success, output } = v.safeParse(enclaveSchema, await response.json().catch(() => undefined))
    if (!response.ok || !success) throw new Error(`At ${url} is no custody.`)
    known = output.signerPublicKey
    return known
  }
}
