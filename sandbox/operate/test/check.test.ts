/** Tests how the doctor runs a check. */
import { freePort } from '@keybay/sandbox-tools/free-port'
import { expect, it } from 'vitest'
import { Finding, printResults, runCheck } from '../src/doctor/check.js'

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
