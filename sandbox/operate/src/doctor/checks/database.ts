/** Checks of a service's settings, database and keys. */
import type { OperatedService } from '@keybay/sandbox-service/operated'
import type { StatefulService } from '../../services.js'
import { type Check, Finding } from '../check.js'

/** Oldest PostgreSQL that its makers still maintain. */
const MIN_VERSION = 140_000

/** Reports the variables of a service that are missing, invalid or unsafe. */
export function checkSettings(service: Check['service'], problems: OperatedService['problems']): Check {
  const [first] = problems
  return {
    service,
    name: 'settings',
    remedy: '',
    async run() {
      if (first)
        throw new Finding(`Wrong: ${[...new Set(problems.map(({ variable }) => variable))].join(', ')}.`, first.text)
      return 'Nothing is missing or unsafe.'
    },
  }
}

export function listDatabaseChecks(service: StatefulService, operated: OperatedService): readonly Check[] {
  const facts = operated.readDatabase()
  facts.catch(() => undefined)
  const isRelay = service === 'r1' || service === 'r2'
  return [
    {
      service,
      name: 'database',
      remedy: 'Start PostgreSQL, let this machine reach it, and check the address and password of the database.',
      async run() {
        const { version, isReadOnly } = await facts
        if (version < MIN_VERSION)
          throw new Finding(`PostgreSQL has the version number ${version}.`, 'Upgrade PostgreSQL to 14 or later.')
        if (isReadOnly)
          throw new Finding(
            'The database accepts no writes.',
            'Set the address to the primary, or promote the standby that it names.',
          )
        return `PostgreSQL ${Math.floor(version / 10_000)} accepts writes.`
      },
    },
    {
      service,
      name: 'schema',
      remedy: `Run "npx @keybay/operate migrate ${service}".`,
      async run() {
        if (!(await facts).isMigrated) throw new Error('The database does not have the schema of this version.')
        return 'The database has the schema of this version.'
      },
    },
    {
      service,
      name: 'keys',
      remedy: `Run "npx @keybay/operate migrate ${service}", which makes the table of keys.`,
      async run() {
        await facts
        const [problem] = await operated.findKeyProblems()
        if (problem !== undefined) throw new Finding('An instance with these keys would not start.', problem)
        return 'The database knows these keys, or knows none yet.'
      },
    },
    ...(isRelay
      ? [
          {
            service,
            name: 'durability',
            remedy: 'Set fsync, full_page_writes and synchronous_commit of PostgreSQL to on.',
            async run() {
              const { volatileSettings } = await facts
              if (volatileSettings.length > 0) throw new Error(`PostgreSQL has ${volatileSettings.join(', ')} off.`)
              return 'PostgreSQL keeps what it confirmed.'
            },
          },
        ]
      : []),
  ]
}
