/** `restore-drill`: restores a backup beside the real database, and proves what a service would find there. */

import { Finding, type Result } from '../doctor/check.js'
import { type Env, isStateful, OPERATED, type ServiceName, type StatefulService } from '../services.js'
import { describeBackup, findBackup } from './backup.js'
import { type Copy, withCopy } from './copy.js'

const KEYS_REMEDY =
  'Set the keys of the time of the backup. After a rotation, those are in the file kek.retired-… beside the key.'

interface Drill {
  readonly service: StatefulService
  readonly env: Env
}

type Step = Pick<Result, 'check'> & { readonly remedy: string; readonly run: () => Promise<string> }

async function take(service: StatefulService, { check, remedy, run }: Step): Promise<Result> {
  try {
    return { service, check, ok: true, detail: await run() }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { service, check, ok: false, detail, remedy: error instanceof Finding ? error.remedy : remedy }
  }
}

function listSteps({ service, env }: Drill, copy: Copy): readonly Step[] {
  const { readDatabase, findKeyProblems } = OPERATED[service].read(env, copy.url)
  return [
    {
      check: 'restore',
      remedy: '',
      run: async () => `The backup was restored into "${copy.name}", which is dropped at the end.`,
    },
    {
      check: 'schema',
      remedy: 'Make a backup with this version, or run the drill of the version that made it.',
      async run() {
        if ((await readDatabase()).isMigrated) return 'The backup has the schema of this version.'
        throw new Error(`The backup does not have the schema of this version of ${service}.`)
      },
    },
    {
      check: 'keys',
      remedy: KEYS_REMEDY,
      async run() {
        const [problem] = await findKeyProblems()
        if (problem === undefined) return 'The keys are those that the backup knows.'
        throw new Finding('No instance with these keys would start on the backup.', `${KEYS_REMEDY} ${problem}`)
      },
    },
  ]
}

/** Adds results, and stops after a failure that makes further checks useless. */
async function examineCopy(drill: Drill, copy: Copy, results: Result[]): Promise<void> {
  const { service, env } = drill
  for (const step of listSteps(drill, copy)) {
    const result = await take(service, step)
    results.push(result)
    if (!result.ok) return
  }
  for (const { name, ...result } of await OPERATED[service].inspectCopy(env, copy.url))
    results.push({ service, check: name, ...result })
}

function getDatabaseUrl({ service, env }: Drill): string {
  const { databaseUrl, problems } = OPERATED[service].read(env)
  if (databaseUrl !== undefined) return databaseUrl
  const missing = problems.find(({ variable }) => variable.endsWith('DATABASE_URL'))
  throw new Error(`${service}: ${missing?.text ?? 'No database is set.'}`)
}

/**
 * Restores a backup of one service into a database beside the real one, examines it and drops it.
 * @param given file or folder of pg_dump, or a folder of such backups, of which the newest counts
 * @throws Error when not exactly one service with a database is named
 */
export async function drillRestore(
  environments: ReadonlyMap<ServiceName, Env>,
  given: string | undefined,
): Promise<readonly Result[]> {
  const [[service, env] = [undefined, {}], ...others] = environments
  if (service === undefined || !isStateful(service) || others.length > 0 || given === undefined)
    throw new Error('Name one service (api, r1, r2 or custody) and its backup: --backup <file or folder>')
  const drill = { service, env }
  const url = getDatabaseUrl(drill)
  let path = ''
  const taken = await take(service, {
    check: 'backup',
    remedy: 'Let this user read the backup.',
    async run() {
      const backup = findBackup(given)
      path = backup.path
      return describeBackup(backup)
    },
  })
  if (!taken.ok) return [taken]
  const results = [taken]
  try {
    await withCopy(url, path, copy => examineCopy(drill, copy, results))
  } catch (error) {
    const remedy = 'Start PostgreSQL, and let this machine reach it.'
    results.push(await take(service, { check: 'restore', remedy, run: () => Promise.reject(error) }))
  }
  return results
}
