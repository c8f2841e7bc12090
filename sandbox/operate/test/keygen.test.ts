/** Tests `keygen` as a program: what it writes, who may read it, and what it refuses to replace. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { beforeAll, expect, it } from 'vitest'
import { OPERATED, SERVICES, STATEFUL } from '../src/services.js'

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const folder = temporaryFolder()

function operate(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, [PROGRAM, ...args], (_, out, error) =>
      resolve({ code: child.exitCode ?? 1, output: out + error }),
    )
  })
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** Returns every secret that the run made. */
function listSecrets(): readonly string[] {
  const { signing, secret, operatorToken } = JSON.parse(read('api/keys.json'))
  const parties = ['r1', 'r2'].flatMap(relay => {
    const { record, sealing } = JSON.parse(read(`${relay}/keys.json`))
    return [record[0].d, sealing.secretKey, read(`${relay}/kek`)]
  })
  const [approver] = JSON.parse(read('api/approver.json'))
  const custody = [read('custody/kek'), read('custody/enclave.pem').split('\n')[1] ?? '']
  return [signing[0].d, secret, operatorToken, approver.privateKey, read('api/custody-api-key'), ...parties, ...custody]
}

let made: { code: number; output: string }
beforeAll(async () => {
  made = await operate('keygen', '--out', folder)
})

it('keygen prints the names of its files and no key, and only this user can read the keys', () => {
  expect(made.code).toBe(0)
  const files = made.output.match(/(?<=^Wrote ).+$/gm) ?? []
  expect(files).toHaveLength(16)
  const secretFiles = files.filter(file => !file.endsWith('party.json'))
  for (const file of secretFiles) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
  const secrets = listSecrets()
  expect(new Set(secrets).size).toBe(13)
  const variables = SERVICES.map(service => read(`${service}.env`)).join('\n')
  for (const secret of secrets) {
    expect(made.output).not.toContain(secret)
    expect(variables).not.toContain(secret)
  }
})

it('keygen gives custody the public half of the API’s key, and each relay the public keys of the other', () => {
  const [api, r1, r2, custody] = STATEFUL.map(service => parseEnv(read(`${service}.env`)))
  expect(custody?.CUSTODY_API_PUBLIC_KEY).toBe(api?.CUSTODY_API_PUBLIC_KEY)
  expect(custody).not.toHaveProperty('CUSTODY_API_PRIVATE_KEY_FILE')
  expect(r1?.RELAY_PEER_KEYS).toBe(read('r2/party.json'))
  expect(r2?.RELAY_PEER_KEYS).toBe(read('r1/party.json'))
  expect(JSON.parse(api?.API_RECORD_KEYS ?? '')).toEqual(JSON.parse(read('r1/party.json')).recordKeys)
})

it.each(STATEFUL)('%s finds nothing wrong with the keys that keygen made', service => {
  const env = parseEnv(read(`${service}.env`))
  const { problems } = OPERATED[service].read(env)
  const isKey = ({ variable }: { readonly variable: string }) => /KEY|KEK|ORGANIZATION/.test(variable)
  expect(problems.filter(isKey)).toEqual([])
  expect(OPERATED[service].read({}).problems.some(isKey)).toBe(true)
})

it('keygen replaces no file, and writes nothing when one exists', async () => {
  const before = read('r1/kek')
  const { code, output } = await operate('keygen', 'api', 'r1', '--out', folder)
  expect([code, output]).toEqual([1, expect.stringMatching(/keys\.json exists already\. Name another folder/)])
  expect(read('r1/kek')).toBe(before)
})

it('keygen makes the keys of one relay for an operator who runs no other service', async () => {
  const own = temporaryFolder()
  expect(await operate('keygen', 'r2', '--out', own)).toMatchObject({ code: 0 })
  const env = parseEnv(readFileSync(join(own, 'r2.env'), 'utf8'))
  expect(Object.keys(env).sort()).toEqual(['RELAY_KEK_FILE', 'RELAY_KEYS_FILE', 'RELAY_PARTY'])
})
