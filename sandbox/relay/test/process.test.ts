/** The service as a program: killed in the middle of signatures, restarted, stopped. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endProgram, type Program, runProgram } from '@keybay/sandbox-service/testing/program'
import { anyPoint, codecs, createFrameSigner, decode, encode } from '@keybay/waas/mpc'
import { afterAll, afterEach, expect, it } from 'vitest'
import { startApiGate } from './api-gate.js'
import { asDevice, ask, b64, create, getShare, reshare, sha256, sign, text, unb64 } from './frame/index.js'
import { startWorld } from './world.js'

function main(name: string) {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
}
const world = await startWorld()
const dataDir = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
const file = join(dataDir, 'environments.json')
writeFileSync(file, JSON.stringify(world.environments))
let running: Program[] = []
afterEach(async () => {
  for (const program of running) await endProgram(program)
  running = []
})
afterAll(async () => {
  await world.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function start(name: string, env: Record<string, string> = {}): Program {
  const ports = { RELAY_PORT: '0', RELAY2_PORT: '0', RELAY_PEER_URL: 'none' }
  const all = { KEYBAY_DATA_DIR: dataDir, RELAY_ENVIRONMENTS_FILE: file, ...ports, ...env }
  const program = runProgram(main(name), all, ['--sandbox'])
  running.push(program)
  return program
}

async function ready({ child }: Program) {
  const [message] = await once(child, 'message')
  const internalUrl = message.url.replace('localhost', '127.0.0.1')
  world.trust(internalUrl)
  return { internalUrl, clock: { now: () => Date.now() } }
}

it('a relay keeps its wallets over a kill, uses other nonces for the same request, and stops with code 0', async () => {
  const first = start('main')
  let relay = await ready(first)
  const target = { next: () => relay }
  const user = await world.user()
  const wallet = await create(target, user)
  const { commitment } = createFrameSigner(getShare(wallet, 'C'), ['R1']).begin(text('hello'))
  const { walletId, setId } = wallet
  const content = { setId, kind: 'message', message: b64(text('m')) }
  const body = { ...content, commitment: b64(encode(codecs.signCommitment, commitment)) }
  const operation = asDevice(wallet, 'signMessage', { hash: sha256('m'), signers: ['C', 'R1'], consent: true })
  const shareFor = async () => {
    const answer = await ask(target, user, `/wallets/${walletId}/sign`, body, operation)
    return answer.status === 200
      ? b64(decode(codecs.signAnswer, unb64(answer.body.answers[0]), anyPoint).commitment.hiding)
      : undefined
  }
  const before = await shareFor()
  // Kill with several requests pending: some get a response, none gets two.
  const under = Promise.allSettled([shareFor(), shareFor(), shareFor()])
  first.child.kill('SIGKILL')
  const cut = (await under).flatMap(sent => (sent.status === 'fulfilled' ? [sent.value] : []))
  await first.ended()
  const second = start('main')
  relay = await ready(second)
  const after = [await shareFor(), await shareFor()]
  const seen = [before, ...cut, ...after].filter(nonce => nonce !== undefined)
  expect(seen.length).toBeGreaterThanOrEqual(3)
  expect(new Set(seen).size).toBe(seen.length)
  expect((await sign(target, wallet, text('on'))).status).toBe(200)
  second.child.kill('SIGTERM')
  const { code, output } = await second.ended()
  expect(code).toBe(0)
  for (const name of ['keys.json', 'kek']) {
    const secrets = join(dataDir, 'relay', name)
    expect(statSync(secrets).mode & 0o077).toBe(0)
    expect(output).not.toContain(readFileSync(secrets, 'utf8'))
  }
}, 120_000)

it('exactly one epoch signs after the relay was killed in the middle of a resharing', async () => {
  let program = start('main')
  let relay = await ready(program)
  const target = { next: () => relay }
  const wallet = await create(target, await world.user())
  const again = async () => {
    await endProgram(program)
    program = start('main')
    relay = await ready(program)
  }
  const resharing = await reshare(target, wallet)
  await again()
  expect((await sign(target, wallet, text('old'))).status).toBe(200)
  const cut = resharing.commit().catch(() => undefined)
  await again()
  await cut
  const answer = await resharing.commit()
  expect(answer.status).toBe(200)
  await again()
  expect((await sign(target, resharing.after(wallet, answer), text('new'))).status).toBe(200)
  expect((await sign(target, wallet, text('old'))).body.code).toBe('epoch_mismatch')
}, 120_000)

it('a relay killed after its API report and before the wallet is created continues with the same request', async () => {
  const gate = await startApiGate()
  gate.target = world.api.api.internalUrl
  const { local } = world.environments
  const gated = join(dataDir, 'gated.json')
  writeFileSync(gated, JSON.stringify({ local: { ...local, apiUrl: gate.url } }))
  const env = { RELAY_ENVIRONMENTS_FILE: gated }
  try {
    const first = start('main', env)
    let relay = await ready(first)
    const user = await world.user()
    const listed = async () => (await user.kit.call('/users/me')).body.credentials.length - 1
    const wallet = await create({ next: () => relay }, user, {
      async finish(send) {
        const held = gate.hold()
        const cut = send().catch(() => undefined)
        await held.arrived
        first.child.kill('SIGKILL')
        await cut
        held.release()
        expect(await listed()).toBe(1)
        relay = await ready(start('main', env))
        return send()
      },
    })
    expect((await sign({ next: () => relay }, wallet, text('whole'))).status).toBe(200)
    expect(await listed()).toBe(1)
  } finally {
    gate.stop()
  }
})

it('the rotate command of a relay replaces that relay’s key-encryption key', async () => {
  const first = start('main')
  let relay = await ready(first)
  const target = { next: () => relay }
  const wallet = await create(target, await world.user())
  first.child.kill('SIGTERM')
  await first.ended()
  const before = readFileSync(join(dataDir, 'relay', 'kek'), 'utf8')
  const output = expect.stringMatching(/\d+ secrets are under the new key/)
  expect(await start('rotate').ended()).toEqual({ code: 0, output })
  const after = readFileSync(join(dataDir, 'relay', 'kek'), 'utf8')
  expect(after).not.toContain(before)
  relay = await ready(start('main'))
  expect((await sign(target, wallet, text('on'))).status).toBe(200)
}, 120_000)

it('R2 runs as its own program and reports its party', async () => {
  const { internalUrl } = await ready(start('main-2'))
  expect(await (await fetch(`${internalUrl}/party`)).json()).toMatchObject({ party: 'R2' })
  expect((await fetch(`${internalUrl.replace('/api/v0', '')}/ready`)).status).toBe(200)
  expect((await fetch(`${internalUrl}/openapi.json`)).status).toBe(200)
}, 60_000)

it.each([
  [{ RELAY_PORT: 'x' }, 'RELAY_PORT must be a whole number'],
  [{ RELAY_PARTY: '3' }, 'RELAY_PARTY must be a whole number'],
  [{ RELAY_KEK: 'short' }, 'RELAY_KEK must be 32 bytes'],
  [{ RELAY_KEYS: '{}' }, "RELAY_KEYS does not hold the party's keys"],
  [{ RELAY_ENVIRONMENTS_FILE: '/nowhere.json' }, 'RELAY_ENVIRONMENTS_FILE'],
])(
  'the relay reports what is wrong with %o at its start',
  async (env, message) => {
    expect(await start('main', env).ended()).toEqual({ code: 1, output: expect.stringContaining(message) })
  },
  60_000,
)
