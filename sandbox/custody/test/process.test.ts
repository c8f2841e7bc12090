/** The service as a program: killed in the middle of an activity, restarted, stopped; keys at rest. */
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { generateP256KeyPair } from '@turnkey/crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { apiClient, apiKey, COMPLETED, newTarget, post, raw, SIGN, SOLANA } from './world.js'

// Long timeouts: starting processes and databases is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const dataDir = temporaryFolder()
let smtp: Server
let connected: Promise<Socket>
beforeAll(async () => {
  // A mail server that accepts the connection and never responds keeps the activity open.
  smtp = createServer().listen(0, '127.0.0.1')
  connected = once(smtp, 'connection').then(([socket]) => socket)
  await once(smtp, 'listening')
})
afterAll(() => void smtp.close())

async function start(env: Record<string, string> = {}) {
  const program = startProgram(main, { KEYBAY_DATA_DIR: dataDir, CUSTODY_PORT: '0', ...env }, ['--sandbox'])
  const [message] = await once(program.child, 'message')
  return { ...program, baseUrl: String(message.url).replace('localhost', '127.0.0.1') }
}

function smtpUrl() {
  const address = smtp.address()
  return `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

it('an activity interrupted by a kill exists once, and reaches a final state after the restart', async () => {
  const first = await start({ SMTP_URL: smtpUrl() })
  const operator = JSON.parse(readFileSync(join(dataDir, 'custody', 'operator.json'), 'utf8'))
  const client = apiClient(first.baseUrl, operator)
  const user = generateP256KeyPair()
  const request = <T extends string, P>(organizationId: string, type: T, parameters: P) => {
    const timestampMs = String(Date.now())
    return { type, timestampMs, organizationId, parameters }
  }
  const email = 'cid@example.com'
  const none = { authenticators: [], oauthProviders: [] }
  const { activity } = await client.createSubOrganization(
    request(operator.organizationId, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 'Cid',
      rootQuorumThreshold: 1,
      rootUsers: [{ ...none, userName: 'cid', userEmail: email, apiKeys: [apiKey(user.publicKey)] }],
      wallet: { walletName: 'Wallet', accounts: [SOLANA] },
    }),
  )
  const organizationId = activity.result.createSubOrganizationResultV8?.subOrganizationId ?? ''
  const recovery = { email, targetPublicKey: newTarget(), emailCustomization: { appName: 'Keybay' } }
  const signed = await client.stampInitUserEmailRecovery(
    request(organizationId, 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', recovery),
  )
  const send = (baseUrl: string) => post(baseUrl, 'submit/init_user_email_recovery', signed)
  const cut = send(first.baseUrl).catch(() => 'cut')
  const socket = await connected
  first.child.kill('SIGKILL')
  await first.ended()
  socket.destroy()
  expect(await cut).toBe('cut')

  // The mail server is gone: the new process fails the activity before it serves requests.
  smtp.close()
  const second = await start({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const again = apiClient(second.baseUrl, operator)
  const { activities } = await again.getActivities({ organizationId })
  expect(activities.map(({ status, type }) => ({ status, type }))).toEqual([
    { status: 'ACTIVITY_STATUS_FAILED', type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2' },
  ])
  const repeated = await send(second.baseUrl)
  expect(repeated.answer.activity).toMatchObject({ id: activities[0]?.id, status: 'ACTIVITY_STATUS_FAILED' })

  // Wallets from before the kill still sign.
  const secondClient = apiClient(second.baseUrl, user)
  const { accounts } = await secondClient.getWalletAccounts({ organizationId })
  const after = await secondClient.signRawPayload(request(organizationId, SIGN, raw(accounts[0]?.address ?? '', 'aa')))
  expect(after.activity.status).toBe(COMPLETED)

  second.child.kill('SIGTERM')
  expect((await second.ended()).code).toBe(0)
  for (const program of [first, second]) {
    const { output } = await program.ended()
    expect(output).not.toContain(operator.privateKey)
    expect(output).not.toContain(email)
  }
})

it('custody files are readable by this user only', () => {
  const folder = join(dataDir, 'custody')
  for (const name of readdirSync(folder).filter(name => name !== 'db'))
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
})
