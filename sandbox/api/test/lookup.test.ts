/** Tests lookups by all six keys, for a user that has them all. */
import { join } from 'node:path'
import { USER_LOOKUP_KEYS } from '@keybay/kernel/spec'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCredential } from '../src/accounts/credentials.js'
import { openDatabase } from '../src/db/open.js'
import { settings, startWorld, type World } from './client.js'

const dataDir = temporaryFolder()
const options = { dataDir, environments: { local: settings, other: settings } }
let world: World
let userId: string
let apiToken: string

/** Stores the credentials of a social provider and of the host's own token, between two runs of the service. */
async function addOthers() {
  const { db, close } = await openDatabase({ dataDir: join(dataDir, 'db') })
  const owner = { environmentId: 'local', userId, now: Date.now() }
  await addCredential(db, owner, { method: 'externalUser', provider: '', subject: 'customer-7' })
  await addCredential(db, owner, { method: 'oauth', provider: 'github', subject: '583231', name: 'octocat' })
  await close()
}

beforeAll(async () => {
  world = await startWorld(options)
  const kit = world.kit()
  userId = (await kit.signInByEmail('look@example.com')).body.user.id
  await kit.link('+491700000001')
  // Another user, who must never be returned instead.
  await world.kit().signInByEmail('other@example.com')
  await world.stop()
  await addOthers()
  world = await startWorld(options)
  apiToken = await world.apiToken()
})
afterAll(() => world?.stop())

function look(key: string, value: string, more = '', environmentId = 'local') {
  return world
    .kit()
    .call(`/users/lookup?key=${key}&value=${encodeURIComponent(value)}${more}`, { token: apiToken, environmentId })
}

describe('a lookup', () => {
  const values = (): Readonly<Record<(typeof USER_LOOKUP_KEYS)[number], string>> => ({
    email: 'LOOK@example.com',
    id: userId,
    externalUserId: 'customer-7',
    phoneNumber: '+49 170 0000001',
    socialUsername: 'octocat',
    socialAccountId: '583231',
  })
  it.each(USER_LOOKUP_KEYS)(
    'a lookup by %s finds the one user with that value, and no user for another value',
    async key => {
      const { users } = (await look(key, values()[key])).body
      expect(users.map(({ id }: { id: string }) => id)).toEqual([userId])
      expect(users[0].credentials).toHaveLength(4)
      expect((await look(key, 'unknown')).body.users).toEqual([])
    },
  )
  it('a lookup of a social account may name the provider', async () => {
    expect((await look('socialAccountId', '583231', '&provider=github')).body.users).toHaveLength(1)
    expect((await look('socialAccountId', '583231', '&provider=google')).body.users).toEqual([])
    expect((await look('socialUsername', 'octocat', '&provider=google')).body.users).toEqual([])
  })
  it('a lookup does not match the value of another key', async () => {
    expect((await look('externalUserId', '583231')).body.users).toEqual([])
    expect((await look('socialAccountId', 'customer-7')).body.users).toEqual([])
    expect((await look('socialUsername', 'look@example.com')).body.users).toEqual([])
  })
  it('refuses a lookup by another key, a user, no token, or the token of another environment', async () => {
    expect((await look('wallet', 'x')).body.code).toBe('invalid_request')
    expect((await look('id', userId, '', 'other')).status).toBe(403)
    const path = `/users/lookup?key=id&value=${userId}`
    expect((await world.kit().call(path)).status).toBe(401)
    expect((await (await world.signedIn('look@example.com')).call(path)).status).toBe(401)
  })
})
