/** Tests Drive with Google's own published client, and with requests that only an attacker or a mistake would send. */
import { auth, drive, type drive_v3 } from '@googleapis/drive'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Identity, startIdentity } from '../src/index.js'
import { visit } from './visit.js'

const RETURN_PAGE = 'http://wallet.localhost:4200/waas-v1/local/granted'
const SCOPE = 'https://www.googleapis.com/auth/drive.appdata'
let identity: Identity

beforeAll(async () => {
  identity = await startIdentity()
})
afterAll(() => identity.stop())

function authorizeUrl(change: Record<string, string> = {}): string {
  return `${identity.url}/google/o/oauth2/v2/auth?${new URLSearchParams({
    client_id: 'keybay-google',
    redirect_uri: RETURN_PAGE,
    response_type: 'token',
    scope: SCOPE,
    state: 'a-state',
    ...change,
  })}`
}

async function grant(user: string, change: Record<string, string> = {}): Promise<Record<string, string>> {
  const { params } = await visit(authorizeUrl(change), {
    user,
    until: url => url.pathname.endsWith('/granted'),
    resolve: url => url.replace(identity.url, identity.internalUrl),
  })
  return params
}

function getClient(token: string): drive_v3.Drive {
  const oauth = new auth.OAuth2()
  oauth.setCredentials({ access_token: token })
  return drive({ version: 'v3', auth: oauth, rootUrl: `${identity.internalUrl}/`, retry: false })
}

async function client(user: string): Promise<drive_v3.Drive> {
  return getClient((await grant(user)).access_token ?? '')
}

function upload(google: drive_v3.Drive, name: string, body: string, wallet = 'w-1') {
  return google.files.create(
    {
      requestBody: { name, parents: ['appDataFolder'], appProperties: { keybayWallet: wallet, keybayEpoch: '0' } },
      media: { mimeType: 'application/octet-stream', body },
      fields: 'id',
    },
    // For uploads, the client ignores its global root URL and uses only this one.
    { rootUrl: identity.internalUrl },
  )
}

function getStatus(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'it went through',
    (error: { readonly status?: unknown }) => error.status,
  )
}

describe('Google’s client', () => {
  it('Google’s client uploads into appDataFolder, lists, downloads the same bytes and deletes', async () => {
    const google = await client('ann')
    const { data } = await upload(google, 'a.keybay', 'the bytes of a')
    await upload(google, 'b.keybay', 'the bytes of b', "w'2")
    const q = "appProperties has { key='keybayWallet' and value='w-1' } and trashed = false"
    const list = await google.files.list({ spaces: 'appDataFolder', q, fields: 'files(id,name,size,appProperties)' })
    expect(list.data.files).toEqual([
      { id: data.id, name: 'a.keybay', size: '14', appProperties: { keybayWallet: 'w-1', keybayEpoch: '0' } },
    ])
    const quoted = "appProperties has { key='keybayWallet' and value='w\\'2' }"
    const other = await google.files.list({ spaces: 'appDataFolder', q: quoted, fields: 'files(name)' })
    expect(other.data.files).toEqual([{ name: 'b.keybay' }])
    const fileId = data.id ?? ''
    const media = await google.files.get({ fileId, alt: 'media' }, { responseType: 'arraybuffer' })
    expect(Buffer.from(new Uint8Array(Object(media.data))).toString()).toBe('the bytes of a')
    expect((await google.files.get({ fileId })).data).toEqual({
      kind: 'drive#file',
      id: fileId,
      name: 'a.keybay',
      mimeType: 'application/octet-stream',
    })
    expect((await google.files.delete({ fileId })).status).toBe(204)
    expect(await getStatus(google.files.get({ fileId }))).toBe(404)
  })

  it('Google’s client lists Drive files in pages, newest first', async () => {
    const google = await client('ben')
    for (const name of ['1', '2', '3', '4', '5']) await upload(google, name, name)
    const names: (string | null | undefined)[] = []
    const sizes: number[] = []
    let pageToken: string | undefined
    do {
      const { data }: { data: drive_v3.Schema$FileList } = await google.files.list({
        spaces: 'appDataFolder',
        orderBy: 'createdTime desc',
        pageSize: 2,
        fields: 'nextPageToken,files(name)',
        ...(pageToken && { pageToken }),
      })
      names.push(...(data.files ?? []).map(({ name }) => name))
      sizes.push(data.files?.length ?? 0)
      pageToken = data.nextPageToken ?? undefined
    } while (pageToken)
    expect(names).toEqual(['5', '4', '3', '2', '1'])
    expect(sizes).toEqual([2, 2, 1])
  })

  it('the Drive about request returns the requested fields of the owner and nothing else', async () => {
    const google = await client('cleo')
    const { data } = await google.about.get({ fields: 'user(emailAddress)' })
    expect(data).toEqual({ user: { emailAddress: 'cleo@people.example' } })
    const { data: all } = await google.about.get({ fields: 'user(permissionId,displayName,emailAddress)' })
    expect(all).toEqual({
      user: { permissionId: '100003', displayName: 'Cleo Çelik', emailAddress: 'cleo@people.example' },
    })
    for (const fields of [undefined, '*', 'user', 'user(photoLink)', 'storageQuota'])
      expect(await getStatus(google.about.get({ ...(fields && { fields }) }))).toBe(400)
    expect(await getStatus(getClient('unknown').about.get({ fields: 'user(emailAddress)' }))).toBe(401)
  })

  it('Google’s client sees no Drive files of another user, and none outside the app’s own data', async () => {
    const [ann, cleo] = await Promise.all([client('ann'), client('cleo')])
    const { data } = await upload(cleo, 'cleo.keybay', 'hers')
    const fileId = data.id ?? ''
    expect(await getStatus(ann.files.get({ fileId }))).toBe(404)
    expect(await getStatus(ann.files.delete({ fileId }))).toBe(404)
    expect((await cleo.files.get({ fileId })).status).toBe(200)
    expect(await getStatus(ann.files.list({}))).toBe(403)
    expect(await getStatus(ann.files.list({ spaces: 'drive' }))).toBe(403)
    const media = { mimeType: 'text/plain', body: 'x' }
    expect(
      await getStatus(ann.files.create({ requestBody: { name: 'x' }, media }, { rootUrl: identity.internalUrl })),
    ).toBe(403)
  })

  it('refuses a wrong, missing or expired Drive token with Google’s error message', async () => {
    const { access_token: token = '' } = await grant('dan')
    expect((await getClient(token).files.list({ spaces: 'appDataFolder' })).status).toBe(200)
    const wrong = await fetch(`${identity.internalUrl}/drive/v3/files?spaces=appDataFolder`, {
      headers: { authorization: 'Bearer unknown', origin: 'http://wallet.localhost' },
    })
    expect(wrong.status).toBe(401)
    expect(await wrong.json()).toEqual({
      error: {
        code: 401,
        message: 'Invalid Credentials',
        errors: [
          {
            message: 'Invalid Credentials',
            domain: 'global',
            reason: 'authError',
            location: 'Authorization',
            locationType: 'header',
          },
        ],
        status: 'UNAUTHENTICATED',
      },
    })
    identity.clock.advance(3_600_001)
    expect(await getStatus(getClient(token).files.list({ spaces: 'appDataFolder' }))).toBe(401)
    identity.clock.reset()
  })
})

describe('undocumented Drive requests', () => {
  it.each([
    ['q', "name contains 'x'"],
    ['q', "name = 'x' or name = 'y'"],
    ['q', "name = 'x"],
    ['orderBy', 'size'],
    ['pageSize', '0'],
    ['pageToken', 'rubbish'],
    ['fields', 'files(nothing)'],
  ])('answers 400 to a Drive list request with %s=%s', async (name, value) => {
    const google = await client('ann')
    expect(await getStatus(google.files.list({ spaces: 'appDataFolder', [name]: value }))).toBe(400)
  })

  it.each([
    ['no boundary', 'multipart/related', ''],
    ['one part', 'multipart/related; boundary=b', '--b\r\ncontent-type: application/json\r\n\r\n{}\r\n--b--'],
    [
      'no JSON',
      'multipart/related; boundary=b',
      '--b\r\ncontent-type: application/json\r\n\r\n{\r\n--b\r\n\r\nx\r\n--b--',
    ],
    ['rubbish', 'multipart/related; boundary=b', '\u0000--b--b--b'],
  ])('answers 400 to a Drive upload with %s', async (_, type, body) => {
    const { access_token: token } = await grant('ann')
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const url = `${identity.internalUrl}/upload/drive/v3/files?uploadType=multipart`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400)
  })
})

describe('the page that grants access', () => {
  it('returns a Drive token for the chosen account or access_denied if the user declines, with the state', async () => {
    expect(await grant('ann')).toMatchObject({
      state: 'a-state',
      token_type: 'Bearer',
      expires_in: '3600',
      scope: SCOPE,
    })
    expect(await grant('cancel')).toEqual({ state: 'a-state', error: 'access_denied' })
  })

  it('offers the account that the app names first, and all other accounts after it', async () => {
    const url = authorizeUrl({ login_hint: 'cleo@people.example' }).replace(identity.url, identity.internalUrl)
    const html = await (await fetch(url)).text()
    const users = [...html.matchAll(/name="user" value="(\w+)"/g)].map(([, key]) => key)
    expect(users[0]).toBe('cleo')
    expect(users.toSorted()).toEqual(['ann', 'ben', 'cleo', 'dan', 'mallory'])
  })

  it.each([
    ['client_id', 'another'],
    ['redirect_uri', 'http://evil.example/granted'],
    ['redirect_uri', `${RETURN_PAGE}?x=1`],
    ['scope', 'https://www.googleapis.com/auth/drive'],
  ])('refuses a Drive grant request with another %s, and does not redirect', async (name, value) => {
    const url = authorizeUrl({ [name]: value }).replace(identity.url, identity.internalUrl)
    const response = await fetch(url, { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })
})
