/** Environment variables of each party. */
import { expect, it } from 'vitest'
import { getParty, optionsFromEnv } from '../src/config.js'

const [ONE, TWO] = ['postgres://db.example/one', 'postgres://db.example/two']

it.each([
  ['beside R1 without one of its own', { RELAY_DATABASE_URL: ONE }, [ONE, undefined]],
  ['beside R1 with one of its own', { RELAY_DATABASE_URL: ONE, RELAY2_DATABASE_URL: TWO }, [ONE, TWO]],
  ['beside R1, which has none', { RELAY2_DATABASE_URL: TWO }, [undefined, TWO]],
])('R2 never uses the database of R1: %s', (_, env, urls) => {
  expect(([1, 2] as const).map(party => optionsFromEnv(env, party).databaseUrl)).toEqual(urls)
})

it.each([
  ['by the name that both have', { RELAY_DATABASE_URL: TWO }],
  ['by its own name', { RELAY_DATABASE_URL: ONE, RELAY2_DATABASE_URL: TWO }],
])('R2 in its own environment finds its database %s', (_, settings) => {
  const env = { RELAY_PARTY: '2', ...settings }
  expect(optionsFromEnv(env, getParty(env)).databaseUrl).toBe(TWO)
})

it('R1 and R2 in one environment have a metrics port each', () => {
  const env = { RELAY_METRICS_PORT: '9431', RELAY2_METRICS_PORT: '9432' }
  expect(([1, 2] as const).map(party => optionsFromEnv(env, party).metrics?.port)).toEqual([9431, 9432])
})
