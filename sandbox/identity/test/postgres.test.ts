/** Tests what every provider answers while the PostgreSQL of this service is away. */
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxClient } from '../src/clients.js'
import { type Identity, startIdentity } from '../src/index.js'

let server: Postgres
let identity: Identity
beforeAll(async () => {
  server = await startPostgres()
  identity = await startIdentity({ databaseUrl: server.url })
}, 120_000)
afterAll(async () => {
  await identity?.stop()
  server?.stop()
})

const BEARER = { headers: { authorization: 'Bearer unknown' } }
const CLOUDKIT = '/database/1/iCloud.dev.keybay.sandbox/development'
const CHANNEL = { siweUri: 'http://app.localhost:4000', domain: 'app.localhost' }

function getSignInPath(id: string, path: string): string {
  const query = {
    client_id: sandboxClient(id).id,
    redirect_uri: `http://app.localhost:4000/auth/social/${id}`,
    response_type: 'code',
    state: 'some-state',
  }
  return `/${id}${path}?${new URLSearchParams({ ...query, scope: id === 'google' ? 'openid email' : 'user:email' })}`
}

function post(body: URLSearchParams | object): RequestInit {
  if (body instanceof URLSearchParams) return { method: 'POST', body }
  return { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function postCode(id: string): RequestInit {
  const client = sandboxClient(id)
  const fields = { client_id: client.id, client_secret: client.secret, grant_type: 'authorization_code', code: 'x' }
  return post(new URLSearchParams({ ...fields, redirect_uri: 'http://app.localhost:4000/auth/social' }))
}

/** Lists a request for each way in which providers use their records. @param page of a sign-in that has begun */
function listRequests(page: string, cookie: string): readonly (readonly [path: string, init?: RequestInit])[] {
  const chosen = post(new URLSearchParams({ user: 'ann' }))
  return [
    [getSignInPath('github', '/login/oauth/authorize')],
    ['/github/choose/unknown', chosen],
    ['/github/login/oauth/access_token', postCode('github')],
    ['/github/user', BEARER],
    [getSignInPath('google', '/o/oauth2/v2/auth')],
    [page, { headers: { cookie } }],
    [page, { ...chosen, headers: { cookie } }],
    ['/google/token', postCode('google')],
    ['/google/v1/userinfo', BEARER],
    ['/farcaster/v1/channel', post(CHANNEL)],
    ['/farcaster/v1/channel/status', BEARER],
    ['/drive/v3/files?spaces=appDataFolder', BEARER],
    [`${CLOUDKIT}/public/users/caller?ckAPIToken=keybay-sandbox&ckWebAuthToken=x`],
  ]
}

it('while PostgreSQL is killed every provider answers 503 with Retry-After, and works once it is back', async () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(identity.internalUrl + path, { ...init, redirect: 'manual' })
  const signIn = await ask(getSignInPath('google', '/o/oauth2/v2/auth'))
  const cookie = signIn.headers.getSetCookie().map(text => text.split(';')[0])
  const requests = listRequests(new URL(signIn.headers.get('location') ?? '', identity.url).pathname, cookie.join('; '))
  const askAll = async () => {
    const responses = await Promise.all(requests.map(([path, init]) => ask(path, init)))
    return responses.map(({ status, headers }, index) => ({
      path: `${requests[index]?.[1]?.method ?? 'GET'} ${requests[index]?.[0].split('?')[0]}`,
      isAway: status === 503,
      canRetry: /^[1-9]\d?$/.test(headers.get('retry-after') ?? ''),
    }))
  }
  server.halt()
  try {
    for (const answer of await askAll())
      expect.soft(answer).toEqual({ path: answer.path, isAway: true, canRetry: true })
    expect((await ask('/ready')).status).toBe(503)
    expect((await ask('/health')).status).toBe(200)
  } finally {
    server.resume()
  }
  await expect.poll(async () => (await ask('/ready')).status).toBe(200)
  for (const answer of await askAll()) expect(answer).toEqual({ path: answer.path, isAway: false, canRetry: false })
})
