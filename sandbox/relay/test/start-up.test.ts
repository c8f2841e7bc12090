/** Start-up checks of the relay program on a real PostgreSQL: each problem alone, and all of them in one message. */
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeStartUp, IN_SANDBOX, type Place } from '@keybay/sandbox-service/testing/start-up'
import postgres from 'postgres'
import { expect, it } from 'vitest'
import { getProgram } from '../src/program.js'
import { newRelayKeys } from './world.js'

function kek(id: number) {
  return createHash('sha256').update(`kek ${id}`).digest('base64url')
}
const { keys } = newRelayKeys()
const peer = JSON.parse(newRelayKeys().keys)
function listPublic({ record }: { readonly record: readonly { readonly d: string }[] }) {
  return record.map(({ d: _, ...jwk }) => jwk)
}
const peerKeys = JSON.stringify({ party: 'R2', recordKeys: listPublic(peer), sealingKey: peer.sealing.publicKey })
const acme = {
  apiUrl: 'https://api.acme.example/api/v0',
  issuer: 'https://api.acme.example/api/v0/sdk/acme',
  hostOrigins: ['https://app.acme.example'],
  frameOrigins: ['https://wallet.acme-keys.example'],
  rpcUrl: 'https://rpc.acme.example',
}
const here = { ...IN_SANDBOX, RELAY_PUBLIC_URL: '' }

const relay = {
  title: 'a relay',
  dist: new URL('../dist/', import.meta.url),
  program: getProgram(1),
  here,
  secrets: [kek(1)],
  keyFiles: ['relay/kek', 'relay/keys.json'],
  unsafe: [
    ['weaker rate limits', { RELAY_LIMIT_FACTOR: '2' }, /RELAY_LIMIT_FACTOR is 2, which lets attackers guess/],
    ['/admin on', { RELAY_ADMIN: 'on' }, /RELAY_ADMIN is on/],
    ['plain http', { RELAY_PUBLIC_URL: 'http://relay.acme.example/api/v0' }, /RELAY_PUBLIC_URL is plain http.*https:/],
    ['a peer over http', { RELAY_PEER_URL: 'http://10.0.0.5:4301/api/v0' }, /RELAY_PEER_URL is plain http.*https:/],
    [
      'a key-encryption key that is not random',
      { RELAY_KEK: Buffer.alloc(32, 1).toString('base64url') },
      /RELAY_KEK has a key that is not random/,
    ],
    ['a key that is none', { RELAY_KEK: 'short' }, /RELAY_KEK must be 32 bytes/],
    [
      'a peer of the same party',
      { RELAY_PEER_KEYS: JSON.stringify({ ...JSON.parse(peerKeys), party: 'R1' }) },
      /RELAY_PEER_KEYS has keys of R1, which is this relay/,
    ],
    [
      'a peer with a record key of this relay',
      { RELAY_PEER_KEYS: JSON.stringify({ ...JSON.parse(peerKeys), recordKeys: listPublic(JSON.parse(keys)) }) },
      /RELAY_PEER_KEYS has keys of R1, which is this relay/,
    ],
    ['peer keys that are none', { RELAY_PEER_KEYS: '{}' }, /RELAY_PEER_KEYS is not what a party answers/],
    ['party keys that are none', { RELAY_KEYS: '{}' }, /RELAY_KEYS does not hold the party's keys/],
  ] as const,
  fsync: 'on' as const,
  prepare: ({ dataDir }: Place) => writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme })),
  good: ({ dataDir, port, databaseUrl }: Place) => ({
    KEYBAY_DATA_DIR: dataDir,
    RELAY_PORT: String(port),
    RELAY_PUBLIC_URL: 'https://relay.acme.example/api/v0',
    RELAY_DATABASE_URL: databaseUrl,
    RELAY_KEYS: keys,
    RELAY_KEK: kek(1),
    RELAY_PEER_URL: 'https://r2.acme.example/api/v0',
    RELAY_PEER_KEYS: peerKeys,
    RELAY_API_TOKEN: 'token of the API',
    RELAY_TRUSTED_PROXIES: '0',
    RELAY_ENVIRONMENTS_FILE: join(dataDir, 'environments.json'),
  }),
}

describeStartUp(relay, ({ place, start, startAndStop, refused }) => {
  it('a relay lists all problems of its start in one message', async () => {
    await startAndStop()
    const output = await refused({ RELAY_ENVIRONMENTS_FILE: '', RELAY_ADMIN: 'on', RELAY_KEK: kek(2), RELAY_KEYS: '' })
    expect(output.match(/^- /gm)).toHaveLength(4)
    for (const problem of [
      /- RELAY_ENVIRONMENTS_FILE is not set/,
      /- RELAY_ADMIN is on/,
      /- RELAY_KEYS is not set, so this instance would use/,
      /- RELAY_KEK: the database was made with other keys/,
    ])
      expect(output).toMatch(problem)
  })

  it('a relay lists invalid variables together with unsafe variables, and does not touch the database', async () => {
    const env = {
      RELAY_PORT: 'x',
      RELAY_DATABASE_URL: 'mysql://acme.example',
      RELAY_LIMIT_FACTOR: '0',
      RELAY_ENVIRONMENTS_FILE: '',
      RELAY_ADMIN: 'on',
    }
    const output = await refused(env, 'main')
    expect(output.match(/^- /gm)).toHaveLength(5)
    for (const problem of [
      /- RELAY_PORT must be a whole number/,
      /- RELAY_DATABASE_URL must be an address/,
      /- RELAY_LIMIT_FACTOR must be a whole number/,
      /- RELAY_ENVIRONMENTS_FILE is not set/,
      /- RELAY_ADMIN is on/,
    ])
      expect(output).toMatch(problem)
    expect(existsSync(join(place().dataDir, 'relay'))).toBe(false)
  })

  it('a public relay refuses a PostgreSQL that may lose confirmed writes, and one of this machine accepts it', async () => {
    const { databaseUrl } = place()
    const sql = postgres(databaseUrl, { max: 1 })
    await sql.unsafe(`alter database "${new URL(databaseUrl).pathname.slice(1)}" set synchronous_commit = off`)
    await sql.end()
    expect(await refused({})).toMatch(/PostgreSQL has synchronous_commit = off/)
    await startAndStop(here)
  })

  it('a relay in production reaches a peer on this machine by http, or has none', async () => {
    await startAndStop({ RELAY_PEER_URL: 'http://127.0.0.1:4301/api/v0' })
    await startAndStop({ RELAY_PEER_URL: 'none', RELAY_PEER_KEYS: '' })
  })

  it('a relay does not start in production with unsafe addresses in its environments, and names each', async () => {
    const file = join(place().dataDir, 'environments.json')
    const unsafe = {
      apiUrl: 'http://api.acme.example/api/v0',
      issuer: 'http://api.app.localhost:4100/api/v0/sdk/acme',
      hostOrigins: ['https://*.acme.example', 'http://app.acme.example', 'http://localhost:3000'],
      frameOrigins: ['https://wallet.acme-keys.example'],
      rpcUrl: 'http://127.0.0.1:8899',
    }
    writeFileSync(file, JSON.stringify({ acme: unsafe }))
    const output = await refused({})
    expect(output.match(/^- /gm)).toHaveLength(4)
    for (const problem of [
      /- RELAY_ENVIRONMENTS_FILE: acme\.apiUrl is plain http/,
      /- RELAY_ENVIRONMENTS_FILE: acme\.issuer is plain http/,
      /- RELAY_ENVIRONMENTS_FILE: acme\.hostOrigins: https:\S+ is a wildcard/,
      /- RELAY_ENVIRONMENTS_FILE: acme\.hostOrigins: http:\S+ is plain http/,
    ])
      expect(output).toMatch(problem)
    writeFileSync(file, JSON.stringify({ acme: { ...acme, frameOrigins: acme.hostOrigins } }))
    expect(await refused({})).toMatch(/environment "acme": frameOrigins: a wallet frame needs an origin of its own/)
    // A token for each environment is as good as one for all.
    writeFileSync(file, JSON.stringify({ acme: { ...acme, apiToken: 'token of the API' } }))
    await startAndStop({ RELAY_API_TOKEN: '' })
  })

  it('R2 starts in production with RELAY_PARTY=2, and the program of the starter only in the sandbox', async () => {
    const first = JSON.stringify({ ...JSON.parse(peerKeys), party: 'R1' })
    const second = { RELAY_PARTY: '2', RELAY2_PORT: String(place().port), RELAY_PEER_KEYS: first }
    expect(await refused(second, 'main')).toMatch(/relay2 cannot start: RELAY2_PUBLIC_URL is not set/)
    const ready = { ...second, RELAY2_PUBLIC_URL: 'https://r2.acme.example/api/v0' }
    await startAndStop(ready)
    const twice = { ...ready, RELAY2_DATABASE_URL: 'postgres://127.0.0.1:1/other' }
    expect(await refused(twice, 'main')).toMatch(/RELAY_DATABASE_URL and RELAY2_DATABASE_URL are both set, and differ/)
    expect(await refused({}, 'main-2')).toMatch(/relay2 cannot start: .*Run dist\/main\.js.*start it with --sandbox/)
  })

  it('a relay names an unreachable database together with the other problems of its start', async () => {
    const output = await refused({ RELAY_DATABASE_URL: 'postgres://127.0.0.1:1/none', RELAY_ADMIN: 'on' })
    expect(output).toMatch(/- RELAY_ADMIN is on.*\n- the database at 127\.0\.0\.1:1 cannot be opened/)
  })

  it('rotating a relay’s key-encryption key registers the next key first and retires the old key last, on every run', async () => {
    await startAndStop()
    expect(await refused({ RELAY_KEK: kek(2) })).toMatch(/does not know this key-encryption key/)
    expect(await refused({ RELAY_KEK: `${kek(2)},${kek(1)}` })).toMatch(/register this one first/)
    const both = { RELAY_KEK: `${kek(2)},${kek(1)}` }
    for (const _ of ['once', 'twice'])
      expect(await start(both, 'rotate').ended()).toEqual({
        code: 0,
        output: expect.stringMatching(/^0 secrets are under an old key/),
      })
    await startAndStop(both)
    await startAndStop({ RELAY_KEK: kek(2) })
    expect(await refused({})).toMatch(/does not know this key-encryption key/)
  })

  it('a relay does not start on a database of another key, even on this machine, and writes no key of its own', async () => {
    await startAndStop(here)
    expect(await refused({ ...here, RELAY_KEK: kek(2) })).toMatch(/RELAY_KEK: the database was made with other keys/)
    expect(await refused({ ...here, RELAY_KEK: '' })).toMatch(/RELAY_KEK is not set, and the database/)
    expect(existsSync(join(place().dataDir, 'relay', 'kek'))).toBe(false)
    const other = newRelayKeys().keys
    expect(await refused({ ...here, RELAY_KEYS: other })).toMatch(/does not know this record key/)
    const sealing = JSON.stringify({ ...JSON.parse(keys), sealing: JSON.parse(other).sealing })
    const output = await refused({ ...here, RELAY_KEYS: sealing })
    expect(output).toMatch(/does not know this sealing key/)
    expect(output).not.toMatch(/record key/)
    await startAndStop(here)
  })

  it('one of two concurrent first starts of a relay writes the keys; the other start is refused and writes none', async () => {
    const [one, two] = ['one', 'two'].map(name => join(place().dataDir, name))
    const env = { ...here, RELAY_KEK: '', RELAY_KEYS: '', RELAY_PORT: '0' }
    const both = [one, two].map(folder => start({ ...env, KEYBAY_DATA_DIR: folder ?? '' }))
    const started = await Promise.allSettled(both.map(each => each.ready()))
    expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const wrote = [one, two].map(folder => existsSync(join(folder ?? '', 'relay', 'kek')))
    expect(wrote).toEqual(started.map(({ status }) => status === 'fulfilled'))
  })

  it('a relay accepts a new record key once registered, and the old record key until it is retired', async () => {
    await startAndStop()
    const old = JSON.parse(keys)
    const next = JSON.parse(newRelayKeys().keys).record
    const both = { RELAY_KEYS: JSON.stringify({ ...old, record: [...next, ...old.record] }) }
    expect(await refused(both)).toMatch(/does not know this record key.*register this one first/)
    const command = (env: Record<string, string>, ...args: string[]) => start(env, 'keys-command', args).ended()
    expect(await command(both, 'register')).toEqual({
      code: 0,
      output: expect.stringMatching(/^Registered the record key/),
    })
    await startAndStop(both)
    await startAndStop()
    expect((await command({ RELAY_KEYS: '' }, 'retire')).output).toMatch(/Set RELAY_KEYS: this command makes no keys/)
    const only = { RELAY_KEYS: JSON.stringify({ ...old, record: next }) }
    expect(await command(only, 'retire')).toEqual({ code: 0, output: expect.stringMatching(/^Retired the record key/) })
    expect(await refused({})).toMatch(/does not know this record key/)
    await startAndStop(only)
    const listed = (await command(only)).output
    expect(listed).toMatch(/record key \S+: used, here/)
    expect(listed).not.toContain(next[0].d)
  })
})
