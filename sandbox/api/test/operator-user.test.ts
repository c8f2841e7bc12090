/** Tests what the operator does with one user: the daily limit of erasures, an export without a part, and the command. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterEach, expect, it } from 'vitest'
import { getStatuses, refused, settings, startWorld, type World } from './client.js'

const DAY = 86_400_000
const command = fileURLToPath(new URL('../dist/user-command.js', import.meta.url))
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function open(options: Parameters<typeof startWorld>[0] = {}): Promise<World> {
  const world = await startWorld(options)
  stops.push(world.stop)
  return world
}
async function newUser(world: World, email: string, environmentId = 'local'): Promise<string> {
  return (await world.kit().signInByEmail(email, environmentId)).body.user.id
}
function operate(world: World, action: string, userId: string, environmentId = 'local') {
  const options = { method: 'POST', token: world.api.operatorToken, proof: false, environmentId } as const
  return world.kit().call(`/users/${userId}/${action}`, options)
}

it('a stolen operator’s token schedules 50 deletions a day in an environment, also by requests at once', async () => {
  const world = await open({ environments: { local: settings, other: settings } })
  const users = await Promise.all(
    Array.from({ length: 53 }, (_, index) => newUser(world, `erase-${index}@example.com`)),
  )
  const answers = await Promise.all(users.map(userId => operate(world, 'erase', userId)))
  expect(getStatuses(answers)).toEqual([...Array(50).fill(200), ...Array(3).fill(429)])
  const repeated = users[answers.findIndex(({ status }) => status === 200)] ?? ''
  const left = users[answers.findIndex(({ status }) => status === 429)] ?? ''
  expect((await operate(world, 'erase', repeated)).status).toBe(200)
  await refused(operate(world, 'erase', left), 429, 'too_many_requests')
  const elsewhere = await newUser(world, 'erase@example.com', 'other')
  expect((await operate(world, 'erase', elsewhere, 'other')).status).toBe(200)
  world.api.clock.advance(DAY + 1)
  expect((await operate(world, 'erase', left)).status).toBe(200)
})

it('an export without a relay is no document: 503 names the relay, and the log of the user has no export', async () => {
  const relay = createServer((_, response) => response.end('{"party":"R1"}')).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  stops.push(() => relay.close())
  const url = `http://127.0.0.1:${Object(relay.address()).port}/api/v0`
  const away = 'http://127.0.0.1:1/api/v0'
  const world = await open({ relays: [url, away] })
  const kit = await world.signedIn('export@example.com')
  const { id } = (await kit.call('/users/me')).body
  const own = kit.call('/users/me/export', { method: 'POST' })
  for (const answer of [await operate(world, 'export', id), await own]) {
    await refused(answer, 503, 'service_unavailable', { service: away })
    expect(answer.body).not.toHaveProperty('api')
  }
  const { events } = (await kit.call('/users/me/security-log')).body
  expect(events).not.toContainEqual(expect.objectContaining({ kind: 'data-exported' }))
})

it('npm run user blocks, unblocks, exports and erases a user, and fails with what the API answered', async () => {
  const dataDir = temporaryFolder()
  const world = await open({ dataDir: join(dataDir, 'api') })
  const kit = await world.signedIn('command@example.com')
  const { id } = (await kit.call('/users/me')).body
  const API_PORT = String(world.api.port)
  const run = (args: readonly string[], env: object = { KEYBAY_DATA_DIR: dataDir }) =>
    runProgram(command, { API_PORT, ...env }, args).ended()
  const works = async (action: string, env?: object) => {
    const { code, output } = await run([action, 'local', id], env)
    expect({ code, output }).toMatchObject({ code: 0 })
    return JSON.parse(output)
  }
  expect(await works('block')).toMatchObject({ blockedAt: expect.any(Number), pending: [] })
  expect((await kit.call('/users/me')).status).toBe(401)
  const elsewhere = { KEYBAY_DATA_DIR: temporaryFolder() }
  const keysOfFile = { ...elsewhere, API_KEYS_FILE: join(dataDir, 'api', 'keys.json') }
  expect(await works('unblock', keysOfFile)).toEqual({ blockedAt: null, pending: [] })
  expect(await run(['erase', 'local', id], elsewhere)).toEqual({
    code: 1,
    output: expect.stringMatching(/API_KEYS is not set/),
  })
  expect(readdirSync(elsewhere.KEYBAY_DATA_DIR)).toEqual([])
  expect(await works('export')).toMatchObject({ api: { credentials: [{ subject: 'command@example.com' }] } })
  expect(await works('erase')).toEqual({ deletesAt: expect.any(Number) })
  const unnamed = await run(['block', 'local'])
  expect(unnamed.code).toBe(1)
  expect(unnamed.output).toContain('Name an action (block, unblock, export, erase), an environment and a user id.')
  const unknown = await run(['block', 'local', '../me'])
  expect(unknown).toEqual({ code: 1, output: expect.stringMatching(/The API answered 40[04]/) })
  expect(unknown.output).not.toContain(world.api.operatorToken)
}, 240_000)
