/** `migrate`: brings the databases of services to the schema of this version. */
import { type Env, isStateful, OPERATED, type ServiceName } from './services.js'

/**
 * Migrates one database after the other. A migrated database stays unchanged; instances and commands that start at the
 * same time wait.
 * @throws Error that names the service whose database is not set or cannot be migrated
 */
export async function migrate(environments: ReadonlyMap<ServiceName, Env>): Promise<string> {
  const lines: string[] = []
  for (const [name, env] of environments) {
    if (!isStateful(name)) continue
    const service = OPERATED[name].read(env)
    const missing = service.problems.find(({ variable }) => variable.endsWith('DATABASE_URL'))
    if (missing) throw new Error(`${name}: ${missing.text}`)
    await service.migrate().catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
    lines.push(`${name}: the database has the schema of this version.`)
  }
  return lines.join('\n')
}
