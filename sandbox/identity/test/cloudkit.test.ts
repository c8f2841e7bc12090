/**
 * Tests CloudKit with Apple's documented exchanges: npm has no client, so the requests and the shapes of the responses
 * are those of the CloudKit Web Services Reference (Composing Requests, Uploading Assets, Modifying and Querying
 * Records).
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Identity, startIdentity } from '../src/index.js'
import { visit } from './visit.js'

const CALLBACK = 'http://wallet.localhost:4200/waas-v1/local/granted'
const API_TOKEN = 'keybay-sandbox'
let identity: Identity
beforeAll(async () => {
  identity = await startIdentity()
})
afterAll(() => identity.stop())

function inner(url: string): string {
  return url.replace(identity.url, identity.internalUrl)
}

function base(): string {
  return `${identity.internalUrl}/database/1/iCloud.dev.keybay.sandbox/development`
}

/** Fields that a response may have. */
interface Body {
  readonly serverErrorCode?: string
  readonly redirectURL?: string
  readonly continuationMarker?: string
  readonly tokens: readonly [{ readonly recordName: string; readonly url: string }]
  readonly records: readonly {
    readonly recordName: string
    readonly fields: { readonly photo: { readonly value: { readonly downloadURL: string } } }
  }[]
}
interface Answer {
  readonly status: number
  readonly body: Body
  readonly next: string
}

async function call(path: string, token: string | undefined, body?: object, apiToken = API_TOKEN): Promise<Answer> {
  const query = new URLSearchParams({ ckAPIToken: apiToken, ...(token !== undefined && { ckWebAuthToken: token }) })
  const response = await fetch(`${base()}/${path}?${query}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'text/plain' } }),
  })
  const next = response.headers.get('x-apple-cloudkit-web-auth-token') ?? ''
  return { status: response.status, body: await response.json(), next }
}

async function signIn(user: string): Promise<string | undefined> {
  const { status, body } = await call('public/users/caller', undefined)
  expect(status).toBe(421)
  expect(body).toMatchObject({ serverErrorCode: 'AUTHENTICATION_REQUIRED', reason: expect.any(String) })
  const { params } = await visit(String(body.redirectURL), {
    user,
    until: url => `${url.origin}${url.pathname}` === CALLBACK,
    resolve: inner,
  })
  return params.ckWebAuthToken
}
/** Starts a session: the token of each response is the next request's. */
async function session(user: string) {
  let token = await signIn(user)
  return async (path: string, body?: object): Promise<Answer> => {
    const answer = await call(path, token, body)
    token = answer.next
    return answer
  }
}
type Session = Awaited<ReturnType<typeof session>>

async function upload(ask: Session, content: string): Promise<object> {
  const place = await ask('private/assets/upload', { tokens: [{ recordType: 'Artwork', fieldName: 'photo' }] })
  expect(place.body).toEqual({
    tokens: [{ recordName: expect.any(String), fieldName: 'photo', url: expect.stringMatching(/^http/) }],
  })
  const response = await fetch(inner(place.body.tokens[0].url), { method: 'POST', body: content })
  const { singleFile } = await response.json()
  return singleFile
}

function create(ask: Session, recordName: string, fields: object) {
  return ask('private/records/modify', {
    operations: [{ operationType: 'create', record: { recordType: 'Artwork', recordName, fields } }],
  })
}

function query(ask: Session, change: object = {}, more: object = {}) {
  return ask('private/records/query', { query: { recordType: 'Artwork', ...change }, ...more })
}

describe('the documented exchange of an asset', () => {
  it('requests a CloudKit upload URL, uploads, stores the receipt in a record, finds the record and downloads the asset', async () => {
    const ask = await session('ann')
    const photo = await upload(ask, 'the picture')
    expect(photo).toEqual({
      wrappingKey: expect.any(String),
      fileChecksum: createHash('sha1').update('the picture').digest('base64'),
      receipt: expect.any(String),
      referenceChecksum: expect.any(String),
      size: 11,
    })
    const made = await create(ask, 'MonaLisa', {
      photo: { value: photo },
      title: { value: 'Mona Lisa' },
      width: { value: 53, type: 'INT64' },
    })
    expect(made.body.records).toEqual([
      {
        recordName: 'MonaLisa',
        recordType: 'Artwork',
        recordChangeTag: expect.any(String),
        created: { timestamp: expect.any(Number), userRecordName: '_ann', deviceID: expect.any(String) },
        modified: { timestamp: expect.any(Number), userRecordName: '_ann', deviceID: expect.any(String) },
        deleted: false,
        fields: {
          photo: {
            value: { fileChecksum: expect.any(String), size: 11, downloadURL: expect.stringMatching(/\/\$\{f\}$/) },
            type: 'ASSETID',
          },
          title: { value: 'Mona Lisa', type: 'STRING' },
          width: { value: 53, type: 'INT64' },
        },
      },
    ])
    const filterBy = [{ comparator: 'EQUALS', fieldName: 'title', fieldValue: { value: 'Mona Lisa', type: 'STRING' } }]
    const response = await query(ask, { filterBy })
    const { downloadURL } = response.body.records[0]?.fields.photo.value ?? {}
    const file = await fetch(inner(String(downloadURL).replace(/\$\{f\}$/, 'photo')))
    expect(await file.text()).toBe('the picture')
    expect((await query(ask, { filterBy: [{ ...filterBy[0], fieldValue: { value: 'Other' } }] })).body.records).toEqual(
      [],
    )

    const remove = { operations: [{ operationType: 'forceDelete', record: { recordName: 'MonaLisa' } }] }
    expect((await ask('private/records/modify', remove)).body).toEqual({
      records: [{ recordName: 'MonaLisa', deleted: true }],
    })
    expect((await ask('private/records/modify', remove)).body.records).toMatchObject([
      { recordName: 'MonaLisa', serverErrorCode: 'NOT_FOUND' },
    ])
  })

  it('returns CloudKit records in pages, newest first', async () => {
    const ask = await session('ben')
    for (const name of ['a', 'b', 'c']) await create(ask, name, { title: { value: name } })
    const sortBy = [{ systemFieldName: 'createdTimestamp', ascending: false }]
    const first = await query(ask, { sortBy }, { resultsLimit: 2 })
    const names = ({ body }: Answer) => body.records.map(({ recordName }) => recordName)
    expect(names(first)).toEqual(['c', 'b'])
    const { continuationMarker } = first.body
    const second = await query(ask, { sortBy }, { resultsLimit: 2, continuationMarker })
    expect(names(second)).toEqual(['a'])
    expect(second.body).not.toHaveProperty('continuationMarker')
  })
})

describe('tokens and owners of records', () => {
  it('names the user of a CloudKit web token only if the user has a name', async () => {
    const name = { firstName: 'Ann', lastName: 'Archer' }
    expect((await call('public/users/current', await signIn('ann'))).body).toEqual({ userRecordName: '_ann', ...name })
    expect((await call('public/users/current', await signIn('dan'))).body).toEqual({ userRecordName: '_dan' })
    expect((await call('public/users/current', undefined)).status).toBe(421)
  })

  it('accepts a CloudKit web token once, and not after it expires', async () => {
    const token = await signIn('ann')
    expect((await call('public/users/caller', token)).body).toEqual({ userRecordName: '_ann' })
    expect((await call('public/users/caller', token)).status).toBe(421)
    const late = await signIn('ann')
    identity.clock.advance(1_800_001)
    expect((await call('public/users/caller', late)).status).toBe(421)
    identity.clock.reset()
  })

  it('refuses another CloudKit API token, and returns no web token to a user who declined', async () => {
    const { status, body } = await call('public/users/caller', undefined, undefined, 'wrong')
    expect([status, body.serverErrorCode]).toEqual([401, 'AUTHENTICATION_FAILED'])
    expect(await signIn('cancel')).toBeUndefined()
  })

  it('hides CloudKit records of another user, and refuses another user’s upload receipt', async () => {
    const [ann, cleo] = [await session('ann'), await session('cleo')]
    await create(cleo, 'hers', { title: { value: 'hers' } })
    expect((await query(ann)).body.records).toEqual([])
    const stolen = await upload(cleo, 'her file')
    const outcome = await create(ann, 'stolen', { photo: { value: stolen } })
    expect(outcome.body.records).toMatchObject([{ recordName: 'stolen', serverErrorCode: 'BAD_REQUEST' }])
    expect((await create(cleo, 'hers', {})).body.records).toMatchObject([{ serverErrorCode: 'EXISTS' }])
  })

  it('answers 400 to malformed CloudKit requests', async () => {
    const ask = await session('dan')
    expect((await ask('private/records/query', { query: {} })).status).toBe(400)
    expect(
      (await query(ask, { filterBy: [{ comparator: 'LIKE', fieldName: 'a', fieldValue: { value: 1 } }] })).status,
    ).toBe(400)
    expect((await query(ask, {}, { continuationMarker: 'rubbish' })).status).toBe(400)
    expect((await ask('private/records/modify', { operations: [] })).status).toBe(400)
  })
})
