/** The service as a program: killed in the middle of signatures, restarted, stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { anyPoint, codecs, createFrameSigner, decode, encode } from '@keybay/waas/mpc'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startApiGate } from './api-gate.js'
import { ask, b64, create, getShare, reshare, sha256, sign, unb64 } from './frame/index.js'
import { startWorld, type World } from './world.js'

function main(name: string) {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
}
let world: World
let dataDir: string
let running: ChildProcess[] = []
beforeAll(async () => {
  world = await startWorld()
  dataDir = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
}, 120_000)
afterEach(() => {
  for (const child of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  running = []
})
afterAll(async () => {
  await world.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function start(program: string, env: Record<string, string> = {}) {
  const file = join(dataDir, 'environments.json')
  writeFileSync(file, JSON.stringify(world.environments))
  const child = spawn(process.execPath, [main(program)], {
    env: {
      ...process.env,
      KEYBAY_DATA_DIR: dataDir,
      RELAY_PORT: '0',
      RELAY2_PORT: '0',
      RELAY_ENVIRONMENTS_FILE: file,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.push(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', chunk => (output.text += chunk))
  return { child, output }
}

async function ready(child: ChildProcess) {
  const [message] = await once(child, 'message')
  const internalUrl = message.url.replace('localhost', '127.0.0.1')
  world.trust(internalUrl)
  return { internalUrl, clock: { now: () => Date.now() } }
}

function text(value: string) {
  return new TextEncoder().encode(value)
}

it('a relay keeps its wallets over a kill, uses other nonces for the same request, and stops with code 0', async () => {
  const first = start('main')
  let relay = await ready(first.child)
  const target = { next: () => relay }
  const person = await world.person()
  const wallet = await create(target, person)
  const { commitment } = createFrameSigner(getShare(wallet, 'C'), ['R1']).begin()
  const shareFor = async () => {
    const body = {
      setId: wallet.setId,
      kind: 'message',
      message: b64(text('m')),
      commitment: b64(encode(codecs.signCommitment, commitment)),
    }
    const asked = {
      op: 'signMessage',
      hash: sha256('m'),
      address: wallet.address,
      device: wallet.device,
      walletId: wallet.walletId,
      setId: wallet.setId,
      signers: ['C', 'R1'],
    }
    const answer = await ask(target, person, `/wallets/${wallet.walletId}/sign`, body, asked)
    return answer.status === 200
      ? b64(decode(codecs.signAnswer, unb64(answer.body.answers[0]), anyPoint).commitment.hiding)
      : undefined
  }
  const before = await shareFor()
  // Kill with several requests pending: some get a response, none gets two.
  const under = Promise.allSettled([shareFor(), shareFor(), shareFor()])
  const closed = once(first.child, 'close')
  first.child.kill('SIGKILL')
  const cut = (await under).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  await closed
  const second = start('main')
  relay = await ready(second.child)
  const after = [await shareFor(), await shareFor()]
  const seen = [before, ...cut, ...after].filter(one => one !== undefined)
  expect(seen.length).toBeGreaterThanOrEqual(3)
  expect(new Set(seen).size).toBe(seen.length)
  expect((await sign(target, wallet, text('on'))).status).toBe(200)
  for (const name of ['keys.json', 'kek']) {
    const file = join(dataDir, 'relay', name)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(second.output.text).not.toContain(readFileSync(file, 'utf8'))
  }
  second.child.kill('SIGTERM')
  expect(await once(second.child, 'exit')).toEqual([0, null])
}, 120_000)

it('exactly one epoch signs after the relay was killed in the middle of a resharing', async () => {
  let { child } = start('main')
  let relay = await ready(child)
  const target = { next: () => relay }
  const wallet = await create(target, await world.person())
  const again = async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
    child = start('main').child
    relay = await ready(child)
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
  const file = join(dataDir, 'gated.json')
  writeFileSync(file, JSON.stringify({ local: { ...local, apiUrl: gate.url } }))
  const env = { RELAY_ENVIRONMENTS_FILE: file }
  try {
    const first = start('main', env)
    let relay = await ready(first.child)
    const person = await world.person()
    const listed = async () => (await person.kit.call('/users/me')).body.credentials.length - 1
    const wallet = await create({ next: () => relay }, person, {
      async finish(send) {
        const held = gate.hold()
        const cut = send().catch(() => undefined)
        await held.arrived
        first.child.kill('SIGKILL')
        await cut
        held.release()
        expect(await listed()).toBe(1)
        relay = await ready(start('main', env).child)
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
  const one = start('main')
  let relay = await ready(one.child)
  const target = { next: () => relay }
  const wallet = await create(target, await world.person())
  one.child.kill('SIGTERM')
  await once(one.child, 'exit')
  const before = readFileSync(join(dataDir, 'relay', 'kek'), 'utf8')
  const { child, output } = start('rotate')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(output.text).toMatch(/\d+ secrets are under the new key/)
  const after = readFileSync(join(dataDir, 'relay', 'kek'), 'utf8')
  expect(after).not.toContain(before)
  const two = start('main')
  relay = await ready(two.child)
  expect((await sign(target, wallet, text('on'))).status).toBe(200)
}, 120_000)

it('R2 runs as its own program and reports its party', async () => {
  const { child } = start('main-2')
  const { internalUrl } = await ready(child)
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
    const { child, output } = start('main', env)
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output.text).toContain(message)
  },
  60_000,
)
