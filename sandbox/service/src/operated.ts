/** A service as the operator's command sees it: its settings, keys and database, without a start. */
import { type Found, findKeyProblems } from './admit-keys.js'
import { type ArchivedTable, type ArchiveOptions, archiveMonths } from './archive.js'
import { type ErasureOptions, eraseArchived } from './archive-erasure.js'
import { type AuditChains, verifyChains } from './audit-chains.js'
import { inspectDatabase, isMigrated } from './database/inspect.js'
import { type DatabaseDefinition, openDatabase, type Schema } from './database/open.js'
import { lockKeys } from './key-registry.js'
import type { CopyCheck, CopyResult, Databases } from './restored.js'
import { type Program, readProgram } from './run.js'
import type { SettingProblem } from './settings.js'

export interface OperatedOptions {
  readonly databaseUrl?: string
  readonly dataDir?: string | undefined
  readonly publicUrl?: string
}

export type { ArchivedTable }

interface Definition<Options extends OperatedOptions, S extends Schema> {
  readonly program: Program<Options>
  readonly database: DatabaseDefinition<S>
  /** Finds the keys of these options, and makes those that are missing, which only their `save` writes. */
  readonly findKeys: (options: Options) => Promise<readonly Found[]>
  /** Lists checks of a restored copy of the database. They write nothing. */
  readonly listCopyChecks: (options: Options, databases: Databases) => Promise<readonly CopyCheck[]>
  /** Tables and chains that grow with use. */
  readonly growth?: Growth
}

interface Growth {
  readonly tables: readonly ArchivedTable[]
  readonly chains: AuditChains
}

/** Facts from PostgreSQL about a service's database. */
export interface DatabaseFacts {
  /** Number of the version, e.g. 150004. */
  readonly version: number
  readonly isReadOnly: boolean
  readonly isMigrated: boolean
  /** Settings that lose confirmed writes. */
  readonly volatileSettings: readonly string[]
}

export type Operated = ReturnType<typeof defineOperated>
export type OperatedService = ReturnType<Operated['read']>

type NamedResult = CopyResult & { readonly name: string }

async function runCopyCheck({ run, remedy }: CopyCheck): Promise<CopyResult> {
  try {
    return await run()
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error), remedy }
  }
}

/**
 * Returns the operator's view of a service.
 * @example export const OPERATED = defineOperated({ program: PROGRAM, database: definition, findKeys, listCopyChecks })
 */
export function defineOperated<Options extends OperatedOptions, S extends Schema>({
  program,
  database,
  findKeys,
  listCopyChecks,
  growth,
}: Definition<Options, S>) {
  return {
    /**
     * Reads an environment, and writes and opens nothing.
     * @param otherUrl database in the place of the one that the environment names
     */
    read(given: NodeJS.ProcessEnv, otherUrl?: string) {
      const { env, options, invalid, unsafe } = readProgram(program, given)
      const { databaseUrl = undefined, publicUrl } = options
      const url = otherUrl ?? databaseUrl
      const problems: readonly SettingProblem[] = [...invalid, ...unsafe]
      // Production writes no keys, so a file in the data folder does not count.
      const find = () => findKeys({ ...options, dataDir: undefined })
      return {
        env,
        publicUrl,
        databaseUrl: url,
        problems,
        /** Brings the database to the schema of this version, while other instances and commands wait. */
        async migrate(): Promise<void> {
          const { close } = await openDatabase(database, { url })
          await close()
        },
        readDatabase: (): Promise<DatabaseFacts> =>
          inspectDatabase(url, async ({ facts, query }) => ({
            ...facts,
            isMigrated: await isMigrated(database, query),
          })),
        /** Returns why an instance with these keys would not start on this database. */
        findKeyProblems: async (): Promise<readonly string[]> => {
          const keys = await find()
          return inspectDatabase(url, ({ db }) => lockKeys(db, registry => findKeyProblems(registry, keys)))
        },
      }
    },
    /** Checks a restored copy beside the database of an environment. It writes to neither. */
    inspectCopy: (given: NodeJS.ProcessEnv, copyUrl: string): Promise<readonly NamedResult[]> => {
      const { options } = readProgram(program, given)
      return inspectDatabase(copyUrl, ({ db: copy }) =>
        inspectDatabase(
          options.databaseUrl,
          async ({ db: live }) => {
            const results: NamedResult[] = []
            const checks = await listCopyChecks({ ...options, dataDir: undefined }, { copy, live })
            for (const check of checks) results.push({ name: check.name, ...(await runCopyCheck(check)) })
            return results
          },
          { default_transaction_read_only: true },
        ),
      )
    },
    /** Writes old months to files. Undefined for a service without any. */
    archive:
      growth &&
      ((given: NodeJS.ProcessEnv, options: Omit<ArchiveOptions, 'url' | 'tables'>): Promise<readonly string[]> =>
        archiveMonths({ ...options, tables: growth.tables, url: readProgram(program, given).options.databaseUrl })),
    /** Applies erasures to archived files. */
    eraseArchived:
      growth &&
      ((given: NodeJS.ProcessEnv, options: Pick<ErasureOptions, 'service' | 'folder'>): Promise<readonly string[]> =>
        eraseArchived({ ...options, tables: growth.tables, url: readProgram(program, given).options.databaseUrl })),
    /** Verifies the audit chains. @param folder of the archived files */
    verifyChains:
      growth &&
      ((given: NodeJS.ProcessEnv, service: string, folder: string | undefined): Promise<string> =>
        verifyChains({ chains: growth.chains, service, folder, url: readProgram(program, given).options.databaseUrl })),
    /** Makes the keys of a service in a folder, without writing them. */
    makeKeys: (dataDir: string): Promise<readonly Found[]> =>
      findKeys({ ...readProgram(program, {}).options, dataDir }),
  }
}
