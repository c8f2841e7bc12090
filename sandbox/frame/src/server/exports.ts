/**
 * Configures the custody windows, by environment: the origins that may embed one, and the key that signs its bundles.
 * Turnkey's own key is in its client. The sandbox's custody service creates one at its first start, and the host requests
 * it once over the loopback interface.
 */
import { readFileSync } from 'node:fs'
import { address, integer, SettingError } from '@keybay/sandbox-service'
import * as v from 'valibot'
import { type ExportConfiguration, readExportConfiguration } from '../configuration/export.js'
import { appNames, url } from '../configuration/frame.js'
import { accountUrl } from '../configuration/paths.js'
import { themeSchema } from '../configuration/theme.js'
import { localApiUrl, localAppNames, localParentOrigins, localRpcUrl } from './environments.js'

/** Environment ID → its configuration. An environment without an entry has no export window. */
export type Exports = Readonly<Record<string, () => Promise<ExportConfiguration>>>

const enclaveSchema = v.object({ signerPublicKey: v.string() })
const fileSchema = v.array(
  v.object({
    environmentId: v.string(),
    parentOrigins: v.array(v.string()),
    baseApiUrl: v.optional(url),
    appNames: v.optional(appNames),
    rpcUrl: v.optional(url),
    theme: v.optional(themeSchema),
    custody: v.optional(v.strictObject({ signerPublicKey: v.optional(v.string()) })),
  }),
)
const TIMEOUT_MS = 5_000

/**
 * Reads the custody windows from the environment variables; the README lists them.
 * @throws Error that names a variable with a wrong value
 */
export function readExports(env: NodeJS.ProcessEnv): Exports {
  const file = env.FRAME_ENVIRONMENTS_FILE
  if (file) return fromFile(file)
  if (env.CUSTODY_URL === 'off') return {}
  const port = integer(env, 'frame', 'CUSTODY_PORT', 4400, [1, 65_535])
  const signer = sandboxSigner(address(env, 'frame', 'CUSTODY_URL', `http://127.0.0.1:${port}`).replace(/\/$/, ''))
  const parentOrigins = localParentOrigins(env)
  const account = accountUrl(localApiUrl(env), 'local')
  const configuration = { parentOrigins, appNames: localAppNames(env), accountUrl: account, rpcUrl: localRpcUrl(env) }
  return { local: async () => readExportConfiguration({ ...configuration, signerPublicKey: await signer() }) }
}

function fromFile(file: string): Exports {
  const { success, output, issues } = v.safeParse(fileSchema, JSON.parse(readFileSync(file, 'utf8')))
  if (!success) throw new SettingError('frame', 'FRAME_ENVIRONMENTS_FILE', `: ${v.getDotPath(issues[0]) ?? 'custody'}`)
  return Object.fromEntries(
    output.flatMap(({ environmentId, baseApiUrl, custody, ...page }) => {
      if (!custody) return []
      const account = baseApiUrl === undefined ? {} : { accountUrl: accountUrl(baseApiUrl, environmentId) }
      const configuration = readExportConfiguration({ ...page, ...account, ...custody })
      return [[environmentId, async () => configuration]]
    }),
  )
}

function sandboxSigner(url: string): () => Promise<string> {
  let known: string | undefined
  return async () => {
    if (known !== undefined) return known
    const response = await fetch(`${url}/enclave`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
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
