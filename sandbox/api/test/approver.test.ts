/** Tests what the approver agrees to, with every field altered. sandbox/custody tests it at the real custody. */
import { describe, expect, it } from 'vitest'
import { optionsFromEnv } from '../src/config.js'
import { AGREEMENTS } from '../src/custody/agreements.js'
import { loadApproverKeys, readApproverKeys } from '../src/custody/approver-keys.js'
import { newKey } from '../src/custody/keys.js'
import { type Reviewed, review } from '../src/custody/review.js'

const OWNER = 'b5a1d6c2-27f7-4f0e-9a43-0d0f4ad5c0aa'
const GUARD = '3f4f0f52-0f6b-4a89-8f1b-9a1f6f0d7c11'
const guardKey = `02${'ab'.repeat(32)}`
const guard = {
  userId: GUARD,
  apiKeys: [{ apiKeyId: '7f7ed2f4-5b1f-4f3c-8b07-b5f3a1a3b0c2', credential: { publicKey: guardKey } }],
  authenticators: [{ authenticatorId: '0b1b6a5a-7a3f-4a86-8d22-b2b7be6e1a90', credentialId: 'Z3VhcmQtcGFzc2tleQ' }],
  userTags: ['55d1c8d2-9c8b-4a59-9f0b-0f4b3c9f8a77'],
}
const ID = '9a1c7d2e-6f0b-4c3d-8e5f-1a2b3c4d5e6f'
const TARGET = `04${'cd'.repeat(64)}`
const SOL = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const HEX = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }
const authenticator = {
  authenticatorName: 'Phone',
  challenge: 'AAAA',
  attestation: {
    credentialId: 'AAAA',
    clientDataJson: 'AAAA',
    attestationObject: 'AAAA',
    transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
  },
}

const ACCOUNT = {
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/501'/1'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
}

/** Activities as the kit requests them, with every optional field. */
const VALID: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2: {
    targetPublicKey: TARGET,
    userId: OWNER,
    apiKeyName: 'Session',
    expirationSeconds: '900',
    invalidateExisting: true,
  },
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: { signWith: SOL, unsignedTransaction: 'aa', type: 'TRANSACTION_TYPE_SOLANA' },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: { signWith: SOL, payload: 'aa', ...HEX },
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: { signWith: ID, payloads: ['aa', 'bb'], ...HEX },
  ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS: { walletId: ID, accounts: [ACCOUNT] },
  ACTIVITY_TYPE_EXPORT_WALLET: { walletId: ID, targetPublicKey: TARGET, language: 'MNEMONIC_LANGUAGE_ENGLISH' },
  ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT: { address: SOL, targetPublicKey: TARGET },
  ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: { privateKeyId: ID, targetPublicKey: TARGET },
  ACTIVITY_TYPE_INIT_IMPORT_WALLET: { userId: OWNER },
  ACTIVITY_TYPE_IMPORT_WALLET: { userId: OWNER, walletName: 'Phone', encryptedBundle: 'aa', accounts: [ACCOUNT] },
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: { userId: OWNER },
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: {
    userId: OWNER,
    privateKeyName: 'Phone',
    encryptedBundle: 'aa',
    curve: 'CURVE_ED25519',
    addressFormats: ['ADDRESS_FORMAT_SOLANA'],
  },
  ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2: { userId: OWNER, authenticators: [authenticator] },
  ACTIVITY_TYPE_UPDATE_USER_EMAIL: { userId: OWNER, userEmail: 'owner@example.com' },
}
const TYPES = Object.keys(VALID)
const DEMANDS: Readonly<Record<string, string>> = {
  ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2: 'nothing',
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: 'wallet.waas.sign',
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: 'wallet.waas.sign',
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: 'wallet.waas.sign',
  ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS: 'user.update',
  ACTIVITY_TYPE_EXPORT_WALLET: 'wallet.waas.export',
  ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT: 'wallet.waas.export',
  ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: 'wallet.waas.export',
  ACTIVITY_TYPE_INIT_IMPORT_WALLET: 'nothing',
  ACTIVITY_TYPE_IMPORT_WALLET: 'user.update',
  ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: 'nothing',
  ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: 'user.update',
  ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2: 'user.update',
  ACTIVITY_TYPE_UPDATE_USER_EMAIL: 'user.update',
}
const OPTIONAL = ['apiKeyName', 'expirationSeconds', 'invalidateExisting', 'language']

const PASSKEY = 'SIGNATURE_SCHEME_TK_WEB_AUTHN'

function vote(userId = OWNER, scheme = PASSKEY, selection = 'VOTE_SELECTION_APPROVED') {
  return { userId, scheme, selection }
}

function activity(type: string, parameters: unknown, rest: Partial<Reviewed> = {}): Reviewed {
  return { type, intent: { [AGREEMENTS[type]?.intent ?? 'intent']: parameters }, votes: [vote()], ...rest }
}

function reviewed(type: string, parameters: unknown, rest?: Partial<Reviewed>, ownerId: string | undefined = OWNER) {
  return review(activity(type, parameters, rest), { ownerId, guard })
}

/** Returns one copy per nested value, with that value replaced by the result of `change`. */
function eachPlace(value: unknown, change: (old: unknown) => unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [change(value)]
  return Object.entries(value).flatMap(([name, part]) =>
    eachPlace(part, change).map(changed => {
      const copy: unknown = structuredClone(value)
      Reflect.set(Object(copy), name, changed)
      return copy
    }),
  )
}

it('the approver supports fourteen activity types, each in one version', () => {
  expect(Object.keys(AGREEMENTS).sort()).toEqual([...TYPES].sort())
})

describe.each(TYPES)('%s', type => {
  const valid = VALID[type] ?? {}
  it('[S6.3] the approver agrees to a valid activity and demands its second factor', () => {
    expect(reviewed(type, valid)).toEqual({ demand: DEMANDS[type] })
  })
  it('the approver refuses an activity with any field altered, missing or of another type', () => {
    const refused = { refusal: 'parameters' }
    for (const wrong of [null, 7, '', 'altered\n', ['x'], {}, 'x'.repeat(70_000)]) {
      const free = (old: unknown) => typeof old === 'string' && ['aa', 'bb', 'Session', 'Phone'].includes(old)
      for (const parameters of eachPlace(valid, old => (wrong === 'altered\n' && free(old) ? '' : wrong)))
        expect([parameters, reviewed(type, parameters)]).toEqual([parameters, refused])
    }
    for (const name of Object.keys(valid).filter(field => !OPTIONAL.includes(field))) {
      if (type.includes('READ_WRITE_SESSION') && name === 'userId') continue
      const { [name]: _, ...rest } = valid
      expect([name, reviewed(type, rest)]).toEqual([name, refused])
    }
  })
  it('the approver refuses an activity with an unknown field at any depth', () => {
    expect(reviewed(type, { ...valid, extra: 1 })).toEqual({ refusal: 'parameters' })
    for (const [name, part] of Object.entries(valid).filter(([, value]) => Array.isArray(value)))
      if (Array.isArray(part) && typeof part[0] === 'object')
        expect(reviewed(type, { ...valid, [name]: [{ ...part[0], extra: 1 }] })).toEqual({ refusal: 'parameters' })
    const both = { ...activity(type, valid).intent, otherIntent: {} }
    expect(reviewed(type, valid, { intent: both })).toEqual({ refusal: 'parameters' })
  })
  it('the approver refuses an activity that names the approver’s user anywhere', () => {
    const names = [
      GUARD,
      GUARD.toUpperCase(),
      guardKey,
      ...guard.apiKeys.map(({ apiKeyId }) => apiKeyId),
      ...guard.authenticators.flatMap(({ authenticatorId, credentialId }) => [authenticatorId, credentialId]),
      ...guard.userTags,
    ]
    for (const name of names) {
      for (const parameters of eachPlace(valid, () => name))
        expect(reviewed(type, parameters)).toEqual({ refusal: 'guard' })
      expect(reviewed(type, { ...valid, [name]: 1 })).toEqual({ refusal: 'guard' })
      expect(reviewed(type, { ...valid, extra: { deep: [`<${name}>`] } })).toEqual({ refusal: 'guard' })
    }
  })
  it('the approver refuses an activity that a user other than the owner began or voted on', () => {
    const refused = { refusal: 'initiator' }
    expect(reviewed(type, valid, { votes: [] })).toEqual(refused)
    expect(reviewed(type, valid, { votes: [vote(ID)] })).toEqual(refused)
    expect(reviewed(type, valid, { votes: [vote(GUARD)] })).toEqual(refused)
    expect(reviewed(type, valid, { votes: [vote(), vote(ID)] })).toEqual(refused)
    expect(reviewed(type, valid, { votes: [vote(OWNER, PASSKEY, 'VOTE_SELECTION_REJECTED')] })).toEqual(refused)
    expect(review(activity(type, valid), { ownerId: undefined, guard })).toEqual(refused)
    expect(reviewed(type, valid, { votes: [vote(GUARD)] }, GUARD)).toEqual(refused)
  })
  it('approves an activity stamped by a key alone only where a session key may perform it', () => {
    const byKey = reviewed(type, valid, { votes: [vote(OWNER, 'SIGNATURE_SCHEME_TK_API_P256')] })
    const isOfKeys = /SIGN_|CREATE_WALLET_ACCOUNTS/.test(type)
    expect(byKey).toEqual(isOfKeys ? { demand: DEMANDS[type] } : { refusal: 'stamp' })
  })
  it('the approver refuses an activity in another version', () => {
    const bare = type.replace(/_V\d+$/, '')
    for (const other of [`${bare}_V9`, `${bare}_V1`, bare, type.toLowerCase(), ` ${type}`].filter(
      variant => variant !== type,
    ))
      expect(reviewed(other, valid, { intent: activity(type, valid).intent })).toEqual({ refusal: 'type' })
  })
})

it.each([
  'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
  'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
  'ACTIVITY_TYPE_DELETE_API_KEYS',
  'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
  'ACTIVITY_TYPE_CREATE_USERS_V4',
  'ACTIVITY_TYPE_CREATE_POLICY_V3',
  'ACTIVITY_TYPE_DELETE_POLICY',
  'ACTIVITY_TYPE_RECOVER_USER',
  'ACTIVITY_TYPE_OAUTH_LOGIN',
  'toString',
  '__proto__',
  '',
])('the approver refuses the activity type “%s”', type => {
  expect(reviewed(type, {})).toEqual({ refusal: 'type' })
})

it('the approver agrees to a session only for the owner, and for a day at most', () => {
  const type = 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2'
  const session = (rest: object) => reviewed(type, { targetPublicKey: TARGET, ...rest })
  expect(session({})).toEqual({ demand: 'nothing' })
  expect(session({ expirationSeconds: '86400' })).toEqual({ demand: 'nothing' })
  for (const wrong of [
    { expirationSeconds: '86401' },
    { expirationSeconds: '2592000' },
    { expirationSeconds: '0' },
    { expirationSeconds: '-1' },
    { expirationSeconds: '9e9' },
    { expirationSeconds: 900 },
    { userId: ID },
    { userId: OWNER.toUpperCase() },
    { userId: null },
  ])
    expect([wrong, session(wrong)]).toEqual([wrong, { refusal: 'parameters' }])
  expect(session({ userId: GUARD })).toEqual({ refusal: 'guard' })
})

describe('the approver’s keys', () => {
  const [first, second] = [newKey().privateKey, newKey().privateKey]
  const read = (rows: unknown) => readApproverKeys(JSON.stringify(rows), 'CUSTODY_APPROVER_KEYS')
  it('reads a current approver key without a date, and older keys with the date when each stops approving', () => {
    const until = '2026-12-31T12:00:00Z'
    expect(read([{ privateKey: first }, { privateKey: second.toUpperCase(), until }])).toMatchObject([
      { privateKey: first },
      { privateKey: second, until: Date.parse(until) },
    ])
    expect(read([{ privateKey: first }, { privateKey: second, until: '2026-12-31' }])[1]?.until).toBe(
      Date.parse('2026-12-31T00:00:00Z'),
    )
  })
  it.each<[string, unknown, string]>([
    ['nothing', [], 'does not hold the approver’s keys'],
    ['text', 'x', 'does not hold the approver’s keys'],
    ['no key', [{ privateKey: '00'.repeat(32) }], 'does not hold the approver’s keys'],
    ['half a key', [{ privateKey: 'ab' }], 'does not hold the approver’s keys'],
    ['an unknown field', [{ privateKey: first, untill: '2026-12-31' }], 'does not hold the approver’s keys'],
    ['no date', [{ privateKey: first }, { privateKey: second, until: 'soon' }], 'does not hold the approver’s keys'],
    ['a date on the first', [{ privateKey: first, until: '2026-12-31' }], 'has a date on its first key'],
    ['an older one without', [{ privateKey: first }, { privateKey: second }], 'has an older key without a date'],
    ['one twice', [{ privateKey: first }, { privateKey: first, until: '2026-12-31' }], 'has the same key twice'],
  ])('refuses approver keys with %s, and does not quote them', (_, rows, problem) => {
    expect(() => read(rows)).toThrow(`CUSTODY_APPROVER_KEYS ${problem}`)
    expect(() => read(rows)).not.toThrow(first)
  })
})

it('requires configured approver keys when instances share a database', () => {
  expect(() => loadApproverKeys({ file: '/nowhere/keys.json', isShared: true })).toThrow('Set CUSTODY_APPROVER_KEYS')
  const json = JSON.stringify([{ privateKey: newKey().privateKey }])
  expect(loadApproverKeys({ json, isShared: true })()).toHaveLength(1)
})

it('uses the operator’s key if custody lists it, and refuses a key that is not listed', () => {
  const [operatorKey, other] = [newKey(), newKey()]
  const env = (publicKeys: string) => ({
    CUSTODY_ORGANIZATION_ID: 'operator',
    CUSTODY_API_PUBLIC_KEY: publicKeys,
    CUSTODY_API_PRIVATE_KEY: operatorKey.privateKey,
  })
  const { custody } = optionsFromEnv(env(`${other.publicKey}, ${operatorKey.publicKey.toUpperCase()}`))
  expect(custody?.operator()).toEqual({ organizationId: 'operator', ...operatorKey })
  for (const wrong of [other.publicKey, 'no key'])
    expect(() => optionsFromEnv(env(wrong))).toThrow('needs its own CUSTODY_API_PUBLIC_KEY')
  // Production names the missing half; the key that custody makes on a laptop never takes its place.
  expect(optionsFromEnv(env('')).custody?.operator()).toBeUndefined()
})
