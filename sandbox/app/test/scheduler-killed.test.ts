/** The server as a process, with a user's share, relays and chain: killed at each step of a payment and restarted. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import {
  ask,
  create,
  delegateTo,
  ok,
  only,
  operationHash,
  unb64,
  type Wallet,
} from '@keybay/sandbox-relay/testing/frame/index'
import { newKey, startWorld, type World } from '@keybay/sandbox-relay/testing/world'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { wirePolicy } from '@keybay/waas/protocol'
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { getPolicy } from '../src/embedded/delegates/rules.js'
import { type Gate, type Moment, openGate } from './gate.js'

vi.setConfig({ testTimeout: 180_000 })
const MAIN = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
const HOUR = 3_600_000
const HALF = LAMPORTS_PER_SOL / 2

const dataDir = temporaryFolder()
const schedules = join(dataDir, 'app', 'schedules')
let world: World
let chain: Chain
let connection: Connection
let relayGate: Gate
let chainGate: Gate
let wallet: Wallet
let running: { readonly child: ChildProcess; readonly url: string } | undefined

beforeAll(async () => {
  world = await startWorld({ environment: { delegatesFile: join(dataDir, 'app', 'delegates.json') } })
  chain = await startChain({})
  connection = new Connection(chain.url, 'confirmed')
  relayGate = await openGate(new URL(world.r1.internalUrl).origin)
  chainGate = await openGate(chain.url)
  wallet = await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
  await connection.requestAirdrop(new PublicKey(wallet.address), 10 * LAMPORTS_PER_SOL)
})
afterEach(() => kill())
afterAll(async () => {
  for (const gate of [relayGate, chainGate]) gate.close()
  await Promise.all([world.stop(), chain.stop()])
})

async function kill(): Promise<void> {
  const { child } = running ?? {}
  running = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function start(): Promise<void> {
  const child = fork(MAIN, ['--sandbox'], {
    env: {
      PATH: process.env.PATH,
      KEYBAY_DATA_DIR: dataDir,
      APP_PORT: String(await freePort()),
      CHAIN_URL: chainGate.url,
      RELAY_URL: `${relayGate.url}/api/v0`,
      INBOX_URL: 'off',
      IDENTITY_URL: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url }] = await once(child, 'message')
  running = { child, url: String(url).replace('app.localhost', '127.0.0.1') }
}
async function dieAt(gate: Gate, name: string, moment: Moment, begin: () => Promise<unknown> = start) {
  const dead = gate.stopAt(name, moment, kill)
  await Promise.all([begin(), dead])
}

async function call(path: string, body?: object) {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${running?.url}${path}`, init)
  return response.json()
}
/** The user consents in the wallet's window; `bring` does what their page then does. */
async function agree(times: number) {
  const friend = Keypair.generate().publicKey
  const plan = { to: friend.toBase58(), lamports: BigInt(HALF), every: HOUR / 1000, times }
  const { publicKey } = await call('/scheduler')
  const listed = JSON.parse(readFileSync(join(dataDir, 'app', 'delegates.json'), 'utf8'))[0]
  const pair = { publicKey: unb64(publicKey), secretKey: new Uint8Array(32) }
  const policy = wirePolicy(getPolicy(plan, Date.now()))
  const { sealedShare } = await delegateTo(only(world.r1), wallet, { key: newKey(), pair, listed }, { policy })
  const share = Buffer.from(sealedShare())
  const order = { ...plan, lamports: HALF, sealedShare: share.toString('base64') }
  const { setId } = JSON.parse(share.toString())
  return { friend, share, setId: String(setId), bring: () => call('/scheduler', order) }
}

function getFile(setId: string): string {
  return readFileSync(join(schedules, `${setId}.json`), 'utf8')
}

function until(setId: string, expected: object) {
  return vi.waitFor(async () => expect(await call(`/scheduler/${setId}`)).toMatchObject(expected), { timeout: 60_000 })
}

async function paymentsTo(friend: PublicKey) {
  return (await connection.getSignaturesForAddress(friend)).length
}

it('the scheduler pays once, even if killed at each step in turn', async () => {
  await start()
  const { friend, setId, share, bring } = await agree(1)
  // The page gets no response to its order.
  await dieAt(relayGate, 'reshare/commit', 'asked', () => bring().catch(() => undefined))
  const storedText = getFile(setId)
  expect(JSON.parse(storedText)).toMatchObject({ to: friend.toBase58(), transfers: [] })
  for (const { box } of JSON.parse(share.toString()).dealt.subShares) expect(storedText).not.toContain(box)
  expect(storedText).not.toContain(share.toString('base64').slice(0, 64))

  await dieAt(relayGate, 'reshare/commit', 'answered')
  await dieAt(chainGate, 'getLatestBlockhash', 'answered')
  await dieAt(relayGate, 'sign', 'asked')
  await dieAt(relayGate, 'sign', 'answered')
  expect(await paymentsTo(friend)).toBe(0)
  await dieAt(chainGate, 'sendTransaction', 'asked')
  expect(JSON.parse(getFile(setId))).toMatchObject({ transfers: [{ state: 'sent' }] })
  await dieAt(chainGate, 'sendTransaction', 'answered')
  await dieAt(chainGate, 'getSignatureStatuses', 'answered')
  await start()
  await until(setId, { status: 'done', transfers: [{ state: 'paid' }] })
  expect([await paymentsTo(friend), await connection.getBalance(friend)]).toEqual([1, HALF])
  // A finished schedule keeps no share, and sending the same order again changes nothing.
  expect(JSON.parse(getFile(setId))).not.toHaveProperty('share')
  await kill()
  await start()
  expect(await bring()).toEqual({ setId })
  await until(setId, { status: 'done' })
  expect(await paymentsTo(friend)).toBe(1)
  expect(readdirSync(schedules)).toEqual([`${setId}.json`])
})

it('a schedule revoked while the scheduler was down ends with the reason, and signs nothing more', async () => {
  await start()
  const { friend, setId, bring } = await agree(3)
  expect(await bring()).toEqual({ setId })
  await until(setId, { transfers: [{ state: 'paid' }], status: 'active' })
  await kill()
  const { user, walletId, address, device, epoch } = wallet
  const by = { address, device, walletId, setId: wallet.setId, epoch, consent: true }
  const revoke = { op: 'revokeSet', hash: operationHash('revokeSet', setId), ...by }
  ok(await ask(only(world.r1), user, `/wallets/${walletId}/sets/${setId}/revoke`, {}, revoke))
  await start()
  await call('/admin/clock', { advance: HOUR })
  const over = {
    status: 'stopped',
    stopped: { code: 'set_revoked' },
    transfers: [{ state: 'paid' }, { state: 'failed' }],
  }
  await until(setId, over)
  expect(JSON.parse(getFile(setId))).not.toHaveProperty('share')
  await kill()
  const requestCount = relayGate.heard.length
  await start()
  await call('/admin/clock', { advance: HOUR })
  await until(setId, over)
  expect(relayGate.heard.length).toBe(requestCount)
  expect([await paymentsTo(friend), await connection.getBalance(friend)]).toEqual([1, HALF])
})
