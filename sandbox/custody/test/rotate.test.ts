/** New key-encryption keys: broken off and taken up again, on PGlite and on PostgreSQL; what is at rest signs on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import type { CustodyOptions } from '../src/index.js'
import { rewrap } from '../src/rotate.js'
import { type Person, passkeyClient, startWorld, type World } from './world.js'

const found = findPostgres()
if ('missing' in found) console.warn(`Rotation on PostgreSQL is not tested here: ${found.missing}.`)

const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const word = (...keks: readonly Buffer[]) => keks.map(kek => kek.toString('base64url')).join(',')

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'keybay-custody-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const open = async (options: Partial<CustodyOptions>, use: (world: World) => Promise<void>) => {
  const world = await startWorld({ dataDir: join(dataDir, 'custody'), ...options })
  try {
    await use(world)
  } finally {
    await world.stop()
  }
}

/** A wallet of two accounts, which is three secrets, and a private key of its own. */
const keepSecrets = async (world: World) => {
  const person = await world.person()
  const { activity } = await person.client.createPrivateKeys({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    timestampMs: world.now(),
    organizationId: person.organizationId,
    parameters: {
      privateKeys: [
        {
          privateKeyName: 'Key',
          curve: 'CURVE_ED25519',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_SOLANA'],
        },
      ],
    },
  })
  const [key] = activity.result.createPrivateKeysResultV2?.privateKeys ?? []
  return { person, signers: [...person.addresses, key?.privateKeyId ?? ''] }
}

const signWithAll = async (
  world: World,
  { person, signers }: { readonly person: Person; readonly signers: readonly string[] },
) => {
  const client = passkeyClient(world.custody.internalUrl, person.authenticator)
  for (const signWith of signers) {
    const { activity } = await client.signRawPayload({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: world.now(),
      organizationId: person.organizationId,
      parameters: {
        signWith,
        payload: 'aa',
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: signWith.startsWith('0x') ? 'HASH_FUNCTION_SHA256' : 'HASH_FUNCTION_NOT_APPLICABLE',
      },
    })
    expect(activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
  }
  const { activity } = await client.createWalletAccounts({
    type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
    timestampMs: world.now(),
    organizationId: person.organizationId,
    parameters: {
      walletId: person.walletId,
      accounts: [
        {
          curve: 'CURVE_ED25519',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: `m/44'/501'/${++path}'/0'`,
          addressFormat: 'ADDRESS_FORMAT_SOLANA',
        },
      ],
    },
  })
  expect(activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
}
let path = 0

const rotateTwice = async (database: Pick<CustodyOptions, 'databaseUrl'>) => {
  let kept: Awaited<ReturnType<typeof keepSecrets>> | undefined
  await open({ ...database, kek: word(before) }, async world => {
    kept = await keepSecrets(world)
  })
  if (!kept) throw new Error('There are no secrets')
  const secrets = kept
  const { db, close } = await openDatabase({ url: database.databaseUrl, dataDir: join(dataDir, 'custody', 'db') })
  const envelope = createEnvelope([after, before])
  let calls = 0
  const dying = {
    ...envelope,
    rewrap: (sealed: string) => {
      if (++calls > 2) throw new Error('killed')
      return envelope.rewrap(sealed)
    },
  }
  await expect(rewrap(db, dying)).rejects.toThrow('killed')
  await close()

  // Half-way both keys are known, and everything signs; the new account's key is under the new one.
  await open({ ...database, kek: word(after, before) }, world => signWithAll(world, secrets))
  const again = await openDatabase({ url: database.databaseUrl, dataDir: join(dataDir, 'custody', 'db') })
  expect(await rewrap(again.db, envelope)).toBe(2)
  expect(await rewrap(again.db, envelope)).toBe(0)
  await again.close()
  await open({ ...database, kek: word(after) }, world => signWithAll(world, secrets))
  await open({ ...database, kek: word(before) }, world =>
    expect(signWithAll(world, secrets)).rejects.toMatchObject({ code: 13 }),
  )
}

it('every secret is under the new key, and the old one opens nothing', () => rotateTwice({}))

describe.skipIf('missing' in found)('on PostgreSQL', () => {
  it('every secret is under the new key, and the old one opens nothing', async () => {
    const database = await startPostgres('bin' in found ? found.bin : '')
    try {
      await rotateTwice({ databaseUrl: database.url })
    } finally {
      database.stop()
    }
  })
})

describe('npm run rotate', () => {
  const rotate = async (env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../dist/rotate.js', import.meta.url))], {
      env: { ...process.env, KEYBAY_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => (output += chunk))
    const [code] = await once(child, 'close')
    return { code, output }
  }
  const file = () => join(dataDir, 'custody', 'kek')

  it('gives the file a new key, and takes the old one out at the end', async () => {
    let kept: Awaited<ReturnType<typeof keepSecrets>> | undefined
    await open({}, async world => {
      kept = await keepSecrets(world)
    })
    const first = readFileSync(file(), 'utf8')
    expect(await rotate()).toEqual({ code: 0, output: '4 secrets are under the new key.\n' })
    const second = readFileSync(file(), 'utf8')
    expect(second).toMatch(/^[\w-]{43}$/)
    expect(second).not.toBe(first)
    // As it stands when one was killed: the next goes on with the key that is there.
    writeFileSync(file(), `${word(after)},${second}`)
    expect(await rotate()).toEqual({ code: 0, output: '4 secrets are under the new key.\n' })
    expect(readFileSync(file(), 'utf8')).toBe(word(after))
    expect(readdirSync(join(dataDir, 'custody')).sort()).toEqual(['db', 'enclave.pem', 'kek', 'operator.json'])
    const secrets = kept
    await open({}, world => (secrets ? signWithAll(world, secrets) : Promise.reject(new Error('no secrets'))))
  })

  it('leaves the keys of the environment to the operator, and says when one of them is missing', async () => {
    await open({ kek: word(before) }, async world => {
      await world.person()
    })
    const missing = await rotate({ CUSTODY_KEK: word(after) })
    expect(missing).toEqual({ code: 1, output: 'custody: Sealed with a key-encryption key that is not here\n' })
    expect(await rotate({ CUSTODY_KEK: word(after, before) })).toEqual({
      code: 0,
      output: '3 secrets are under the new key: take the old ones out of CUSTODY_KEK.\n',
    })
    expect(readdirSync(join(dataDir, 'custody'))).not.toContain('kek')
  })
})
