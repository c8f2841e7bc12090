/** Tests the service as a program: ready, its keys over a restart, and a clean end. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { beforeEach, expect, it, vi } from 'vitest'

// Real services need more time on a slow machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
})

function run(env: Record<string, string>) {
  return startProgram(main, { KEYBAY_DATA_DIR: dataDir, IDENTITY_PORT: '0', ...env }, ['--sandbox'])
}

async function start(env: Record<string, string> = {}) {
  const { child } = run(env)
  const [message] = await once(child, 'message')
  expect(message).toMatchObject({ type: 'ready', name: 'identity' })
  const url = String(message.url).replace('identity.localhost', '127.0.0.1')
  return { child, url, publicUrl: String(message.url) }
}

async function stop(child: ChildProcess) {
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}

it('the identity service neither starts under nor answers a public name, as anyone can sign in as any user', async () => {
  const { code, output } = await run({ IDENTITY_URL: 'https://id.acme.example', IDENTITY_ADMIN: 'on' }).ended()
  expect(code).toBe(1)
  expect(output).toMatch(/identity cannot start: IDENTITY_URL is not a name of this machine/)
  const { url } = await start()
  const status = await new Promise((resolve, reject) => {
    request(`${url}/google/.well-known/openid-configuration`, { headers: { host: 'id.acme.example' } }, response =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
})

it('the identity service becomes ready, keeps its keys over a restart, and stops with code 0', async () => {
  const first = await start()
  expect(first.publicUrl).toMatch(/^http:\/\/identity\.localhost:\d+$/)
  expect((await fetch(`${first.url}/ready`)).status).toBe(200)
  const keys = async (url: string) => (await fetch(`${url}/apple/auth/keys`)).text()
  const firstKeys = await keys(first.url)
  expect(firstKeys).not.toContain('"d"')
  await stop(first.child)
  const second = await start({ IDENTITY_ADMIN: 'off' })
  expect(await keys(second.url)).toBe(firstKeys)
  expect((await fetch(`${second.url}/admin/clock`)).status).toBe(404)
  await stop(second.child)
})
