/** `archive`: writes months of the databases to files, and drops what the files hold. */
import { type Env, isStateful, OPERATED, type ServiceName } from './services.js'

export interface ArchivePlan {
  readonly folder: string | undefined
  /** Number of whole months that stay in the database. */
  readonly months: number
  /** Applies erasures to archived files, and archives nothing. */
  readonly isErasing: boolean
  /** ms since epoch */
  readonly now: number
}

/**
 * Archives one service after the other.
 * @returns a line for each file
 * @throws Error that names the service
 */
export async function archive(
  environments: ReadonlyMap<ServiceName, Env>,
  { folder, isErasing, ...plan }: ArchivePlan,
): Promise<string> {
  if (folder === undefined) throw new Error('Name the folder of the archived files: --out <folder>')
  const lines: string[] = []
  for (const [service, env] of environments) {
    if (!isStateful(service)) continue
    const { archive: archiveService, eraseArchived } = OPERATED[service]
    if (!archiveService || !eraseArchived) continue
    try {
      const place = { service, folder }
      lines.push(...(isErasing ? await eraseArchived(env, place) : await archiveService(env, { ...place, ...plan })))
    } catch (error) {
      // Files that are complete are named: the months in them are dropped.
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error([...lines, `${service}: ${reason}`].join('\n'), { cause: error })
    }
  }
  if (lines.length === 0) throw new Error('Name services that keep months: r1, r2 or custody.')
  return lines.join('\n')
}
