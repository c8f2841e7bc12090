/** Tests what the database stores of social sign-ins: no usable secrets. */
import { join } from 'node:path'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { ceremonies, socialTokens } from '../src/db/schema.js'
import { startSocialWorld } from './social-world.js'

/** Signs in, leaves some flows pending, and stops. @returns secrets that must not be found, and where to look */
async function live(dataDir: string) {
  const world = await startSocialWorld({ dataDir })
  try {
    const kit = world.kit()
    const done = await world.begin(kit, 'spotify')
    const { params } = await world.go(done)
    const { user } = (await world.end(kit, done, params)).body
    const path = `/social/spotify/token?userId=${user.id}`
    const { body } = await kit.call(path, { token: await world.apiToken() })
    expect(body).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) })
    // Farcaster's flow has a channel, and Apple's form contains a name.
    const away = await world.begin(world.kit(), 'farcaster')
    const apple = await world.begin(world.kit(), 'apple')
    const posted = await fetch(`http://127.0.0.1:${world.api.port}/api/v0/sdk/local/social/apple/callback`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ state: apple.stateHash, code: 'x', user: '{"name":{"firstName":"Evangeline"}}' }),
    })
    expect(posted.status).toBe(303)
    const channel = new URL(away.authorizationUrl).searchParams.get('channelToken')
    return [
      body.accessToken,
      body.refreshToken,
      params.code,
      channel,
      'Evangeline',
      ...[done, away, apple].flatMap(({ secrets }) => Object.values(secrets)),
    ]
  } finally {
    await world.stop()
  }
}

it('stores no token and no secret of a social flow in the clear', async () => {
  const dataDir = temporaryFolder()
  const secrets = await live(dataDir)
  const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
  const [tokens, flows] = [await db.select().from(socialTokens), await db.select().from(ceremonies)]
  await close()
  expect(tokens).toHaveLength(1)
  const data = flows.filter(({ kind }) => kind === 'social').map(flow => flow.data)
  expect(data).toHaveLength(3)
  expect(data.flatMap(Object.keys)).toEqual(expect.arrayContaining(['channel', 'form']))
  const written = JSON.stringify([tokens, flows])
  for (const secret of secrets) {
    expect(secret).toMatch(/./)
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const)
      expect(written).not.toContain(Buffer.from(String(secret)).toString(encoding).replace(/=+$/, ''))
  }
}, 300_000) // Creates two databases on disk, one after the other.
