/** `audit`: verifies the relays' logs of signed records with `npx @keybay/waas audit`, and the audit chains. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportRecords } from '@keybay/sandbox-relay/operated'
import { type Env, isStateful, OPERATED, type ServiceName } from './services.js'

const WAAS = fileURLToPath(new URL('cli/main.js', import.meta.resolve('@keybay/waas')))

export interface AuditOptions {
  readonly environments: ReadonlyMap<ServiceName, Env>
  /** Log and public keys of the other operator's relay. */
  readonly logs: readonly string[]
  readonly keys: readonly string[]
  readonly wallet: string | undefined
  /** Folder of archived months. */
  readonly archive?: string | undefined
}

function runWaas(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [WAAS, ...args], (error, output, problem) =>
      error ? reject(new Error(`${output}${problem}`.trim())) : resolve(output.trim()),
    )
  })
}

/** Verifies the relays' logs of signed records. @returns nothing without a relay */
async function auditRecords({ environments, logs, keys, wallet }: AuditOptions): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-audit-'))
  try {
    const files: string[] = []
    const keyFiles: string[] = []
    for (const [service, party] of [
      ['r1', 1],
      ['r2', 2],
    ] as const) {
      const env = environments.get(service)
      if (!env) continue
      const { log, answer } = await exportRecords(env, party)
      const [file, keyFile] = [join(folder, `${service}.log`), join(folder, `${service}.json`)]
      writeFileSync(file, log)
      writeFileSync(keyFile, answer)
      files.push(file)
      keyFiles.push(keyFile)
    }
    if (files.length === 0) return []
    const parties = [...keyFiles, ...keys].flatMap(file => ['--keys', file])
    const text = await runWaas([
      'audit',
      ...files,
      ...logs,
      ...parties,
      ...(wallet === undefined ? [] : ['--wallet', wallet]),
    ])
    return [text]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Audits the services that have an environment here.
 * @returns what the audit says
 * @throws Error with its problem when a log is changed, or the relays have different records
 */
export async function audit(options: AuditOptions): Promise<string> {
  const lines = [...(await auditRecords(options))]
  for (const [service, env] of options.environments) {
    const verifyChains = isStateful(service) && OPERATED[service].verifyChains
    if (verifyChains) lines.push(await verifyChains(env, service, options.archive))
  }
  if (lines.length === 0) throw new Error('Name a service with an audit log: r1, r2 or custody.')
  return lines.join('\n')
}
