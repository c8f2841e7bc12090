/** Tests how the doctor runs a check, and what the commands read. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { expect, it } from 'vitest'
import { Finding, printResults, runCheck } from '../src/doctor/check.js'
import { findBackup } from '../src/restore-drill/backup.js'
import { readEnvironments } from '../src/services.js'

const base = { service: 'api', name: 'probe', remedy: 'Start it.' } as const

it('doctor fails a check that has no result in time, with the remedy of the check', async () => {
  const result = await runCheck({ ...base, run: () => new Promise(() => undefined) }, 20)
  expect(result).toMatchObject({ ok: false, detail: 'There was no answer within 0.02 s.', remedy: 'Start it.' })
})

it('doctor names the remedy of a finding, and the reason that fetch hides', async () => {
  const finding = () => Promise.reject(new Finding('It is old.', 'Renew it.'))
  expect(await runCheck({ ...base, run: finding }, 1_000)).toMatchObject({ detail: 'It is old.', remedy: 'Renew it.' })
  const port = await freePort()
  const refused = () => fetch(`http://127.0.0.1:${port}`).then(() => '')
  expect(await runCheck({ ...base, run: refused }, 1_000)).toMatchObject({ detail: 'fetch failed (ECONNREFUSED)' })
})

it('doctor prints each failed check with its remedy, and how many failed', () => {
  const service = 'r1'
  const passed = { service, check: 'dns', ok: true, detail: 'r1.example is 192.0.2.1.' } as const
  const failed = { service, check: 'tls', ok: false, detail: 'It ended.', remedy: 'Renew it.' } as const
  expect(printResults([passed, failed]).split('\n')).toEqual([
    'ok    r1       dns: r1.example is 192.0.2.1.',
    'FAIL  r1       tls: It ended.',
    '      → Renew it.',
    '',
    '1 of 2 checks failed.',
  ])
})

it('doctor shows a server’s answer in the line of its check, without control characters', () => {
  const detail = 'It answers 200\nok    r1  keys\u001b[2K\u202e.'
  expect(
    printResults([{ service: 'r1', check: 'peer', ok: false, detail, remedy: 'Look\rat it.' }]).split('\n'),
  ).toEqual([
    'FAIL  r1       peer: It answers 200 ok r1 keys [2K .',
    '      → Look at it.',
    '',
    '1 of 1 checks failed.',
  ])
})

it('the commands read variables from a file with a byte order mark, and name what is no file', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'api.env'), '\ufeffDATABASE_URL=postgres://h/d\r\nAPI_PORT=1\r\n')
  mkdirSync(join(folder, 'r1.env'))
  expect(readEnvironments({ folder, services: ['api'] }).get('api')).toEqual({
    DATABASE_URL: 'postgres://h/d',
    API_PORT: '1',
  })
  for (const services of [['r1'], ['r2']] as const)
    expect(() => readEnvironments({ folder, services })).toThrow(`${services[0]}.env is no file.`)
})

it('a pipe is no backup, and the drill does not wait for its writer', () => {
  const pipe = join(temporaryFolder(), 'newest.dump')
  execFileSync('mkfifo', [pipe])
  expect(() => findBackup(pipe)).toThrow('is not a backup that pg_restore reads.')
})
