/** Tests the OpenID providers in a process whose first server began before they were loaded. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** From its first server on, @hono/node-server replaces the process's `Response`. */
const PROGRAM = `
  import { getRequestListener } from '@hono/node-server'
  getRequestListener(() => new Response())
  const { startIdentity } = await import('@keybay/sandbox-identity')
  const identity = await startIdentity()
  for (let i = 0; i < 20; i++) {
    const response = await fetch(identity.internalUrl + '/google/.well-known/openid-configuration')
    console.log(response.status, (await response.json()).issuer === identity.url + '/google')
  }
  await identity.stop()
`

it('an OpenID provider beside an older server of its process answers each request once', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const { stdout, stderr } = await promisify(execFile)('node', ['--input-type=module', '-e', PROGRAM], { cwd })
  expect(stderr).not.toContain('Error')
  expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 20 }, () => '200 true'))
}, 60_000)
