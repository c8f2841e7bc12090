/**
 * Configures the custody windows, by environment: the origins that may embed one, and the key that signs its bundles.
 * Turnkey's own key is in its client. The sandbox's custody service creates one at its first start, and the host requests
 * it once over the loopback interface.
 */
import { Variables } from '@keybay/sandbox-service'
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
  const variables = new Variables(env, 'frame')
  const configured = variables.file('FRAME_ENVIRONMENTS_FILE', parse)
  if (configured) return configured
  if (env.CUSTODY_URL === 'off') return {}
  const localUrl = `http://127.0.0.1:${variables.port('CUSTODY_PORT', 4400)}`
  const signer = sandboxSigner(variables.url('CUSTODY_URL', localUrl).replace(/\/$/, ''))
  const parentOrigins = localParentOrigins(env)
  const account = accountUrl(localApiUrl(env), 'local')
  const configuration = { parentOrigins, appNames: localAppNames(env), accountUrl: account, rpcUrl: localRpcUrl(env) }
  return { local: async () => readExportConfiguration({ ...configuration, signerPublicKey: await signer() }) }
}

function parse(text: string): Exports {
  const { success, output, issues } = v.safeParse(fileSchema, JSON.parse(text))
  if (!success) throw new Error(v.getDotPath(issues[0]) ?? 'custody')
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
