#!/usr/bin/env node
/** `npx @keybay/operate <command>`: the operator's command. */
import { parseArgs } from 'node:util'
import { makeApiToken } from './api-token.js'
import { archive } from './archive.js'
import { audit } from './audit.js'
import { printResults, type Result } from './doctor/check.js'
import { makeKeys } from './keygen.js'
import { migrate } from './migrate.js'
import { prepare } from './prepare.js'
import { drillRestore } from './restore-drill/index.js'
import { rotate } from './rotate.js'
import { readEnvironments, readServiceNames, SERVICES } from './services.js'

const HELP = `operate: runs the services of a deployment.

  operate keygen [service …] --out <folder>
      Makes the keys of the services in files that only this user can read, and <service>.env, which names them.
      It never prints a key, and never replaces a file.

  operate prepare --env <folder>
      Writes what sandbox/deploy needs next to the keys: passwords, environments and the other variables. Its own
      variables are those of sandbox/deploy/example.env. A file or variable that exists stays as it is.

  operate api-token <r1|r2> --env <folder>
      Makes a token at the running API for a relay, and writes it to <relay>/api-token.

  operate migrate [service …] [--env <folder>]
      Brings each database to the schema of this version. Run it before a new version starts, as a role that may.

  operate doctor [service …] [--env <folder>] [--json]
      Checks the running services from outside and inside: names, certificates, headers, databases, keys, peers, mail
      and more, all at once within 10 s. Each failed check names one remedy. Ends with code 1 if a check failed.

  operate rotate <api|r1|r2|custody> [--key <name>] [--env <folder>] [--restarted]
      Replaces a key in three steps: signing or secret of the API; kek, record or sealing of a relay; kek or enclave of
      custody. The default is the first. Each step changes the key file and says what to do. --restarted confirms that every instance has restarted with that file.

  operate restore-drill <api|r1|r2|custody> --backup <file or folder> [--env <folder>] [--json]
      Restores the newest backup of pg_dump into a database beside the real one, checks that its keys, secrets and
      revocations hold, and drops it. The real database is only read. Ends with code 1 if a check failed.

  operate archive [r1] [r2] [custody] --out <folder> [--env <folder>] [--months <number>] [--erase]
      Writes audit entries and activities of whole months to files, verifies the files, and drops those months. The last
      12 months stay, or --months of them. With --erase it only removes users who were erased since from the files. If
      it is killed, run it again.

  operate audit [r1] [r2] [custody] [--env <folder>] [--archive <folder>] [--log <file>] [--keys <party.json>]
                [--wallet <id>]
      Exports the relays' logs of signed records, and verifies them with “npx @keybay/waas audit”. Also verifies the
      audit chains in each database; with --archive, from their first archived entry on.
      --log, --keys  log and public keys of the other operator's relay

Services: ${SERVICES.join(', ')}. Default: all that have a file in the folder of --env. Without --env, the variables of
this process count, and a service must be named.
`

function report(results: readonly Result[], isJson: boolean): string {
  if (results.some(({ ok }) => !ok)) process.exitCode = 1
  return isJson ? JSON.stringify(results, null, 2) : printResults(results)
}

async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      env: { type: 'string' },
      archive: { type: 'string' },
      months: { type: 'string', default: '12' },
      erase: { type: 'boolean', default: false },
      backup: { type: 'string' },
      log: { type: 'string', multiple: true, default: [] },
      keys: { type: 'string', multiple: true, default: [] },
      wallet: { type: 'string' },
      json: { type: 'boolean', default: false },
      key: { type: 'string' },
      restarted: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [command, ...rest] = positionals
  if (values.help || command === undefined) return HELP
  const services = readServiceNames(rest)
  const place = { folder: values.env, services }
  switch (command) {
    case 'keygen':
      if (values.out === undefined) throw new Error('Name the folder of the new keys: --out <folder>')
      return makeKeys({ folder: values.out, services: services.length > 0 ? services : SERVICES })
    case 'prepare':
      return prepare(values.env, process.env)
    case 'api-token':
      return makeApiToken(values.env, services)
    case 'migrate':
      return migrate(readEnvironments(place))
    case 'doctor': {
      // The other commands start faster without its checks.
      const { examine } = await import('./doctor/index.js')
      return report(await examine(readEnvironments(place)), values.json)
    }
    case 'restore-drill':
      return report(await drillRestore(readEnvironments(place), values.backup), values.json)
    case 'rotate':
      return rotate(readEnvironments(place), { key: values.key, isRestarted: values.restarted, now: Date.now() })
    case 'archive':
      return archive(readEnvironments(place), {
        folder: values.out,
        months: Number(values.months),
        isErasing: values.erase,
        now: Date.now(),
      })
    case 'audit':
      return audit({
        environments: readEnvironments(place),
        logs: values.log,
        keys: values.keys,
        wallet: values.wallet,
        archive: values.archive,
      })
    default:
      throw new Error(`"${command}" is not a command. See “operate --help”.`)
  }
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
