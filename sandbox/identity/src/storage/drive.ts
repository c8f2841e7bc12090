/**
 * Implements Google Drive v3 for an app's own data: `files` create, list, get, delete, and the owner. The only scope is
 * `drive.appdata`, so the app sees only the space `appDataFolder`. Paths are under `/drive/v3` and `/upload/drive/v3`,
 * as at Google.
 */
import { randomBytes } from 'node:crypto'
import { isDatabaseAway, RETRY_AFTER_S } from '@keybay/sandbox-service/database'
import { and, asc, desc, eq, gt, lt, type SQL } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import * as v from 'valibot'
import type { Services } from '../services.js'
import { displayName, getUser, pick } from '../users.js'
import { authError, DriveError, fileNotFound, invalidValue } from './drive-errors.js'
import { mountDriveGrant, readToken } from './drive-grant.js'
import { readQuery } from './drive-query.js'
import { readMultipart } from './multipart.js'
import { driveFiles } from './schema.js'

const FOLDER = 'appDataFolder'
const MAX_BYTES = 1024 * 1024
const MAX_FILES = 1000
/**
 * Maximum size of key and value together, in UTF-8 bytes.
 * https://developers.google.com/workspace/drive/api/guides/properties
 */
const MAX_PROPERTY = 124

const metadataSchema = v.object({
  name: v.optional(v.pipe(v.string(), v.maxLength(1000)), 'Untitled'),
  parents: v.optional(v.array(v.string()), []),
  mimeType: v.optional(v.pipe(v.string(), v.maxLength(200))),
  appProperties: v.optional(v.record(v.pipe(v.string(), v.maxLength(124)), v.pipe(v.string(), v.maxLength(124))), {}),
})

type File = typeof driveFiles.$inferSelect
const FIELDS: Readonly<Record<string, (file: File) => unknown>> = {
  kind: () => 'drive#file',
  id: ({ id }) => id,
  name: ({ name }) => name,
  mimeType: ({ mimeType }) => mimeType,
  spaces: () => [FOLDER],
  parents: () => [FOLDER],
  trashed: () => false,
  appProperties: ({ appProperties }) => appProperties,
  size: ({ content }) => String(content.length),
  createdTime: ({ createdAt }) => new Date(createdAt).toISOString(),
  modifiedTime: ({ modifiedAt }) => new Date(modifiedAt).toISOString(),
}
const DEFAULT_FIELDS = ['kind', 'id', 'name', 'mimeType']

/**
 * Picks the `fields` of one file: `*`, or names.
 * https://developers.google.com/workspace/drive/api/guides/fields-parameter
 */
function picker(fields: string | undefined): (file: File) => object {
  const requestedFields = fields === undefined ? DEFAULT_FIELDS : fields.split(',').map(name => name.trim())
  const names = requestedFields.includes('*') ? Object.keys(FIELDS) : requestedFields
  if (names.some(name => !Object.hasOwn(FIELDS, name))) throw invalidValue('fields')
  return file => Object.fromEntries(names.map(name => [name, FIELDS[name]?.(file)]))
}

interface Owner {
  readonly owner: string
  readonly clientId: string
}

function ofOwner({ owner, clientId }: Owner): SQL | undefined {
  return and(eq(driveFiles.owner, owner), eq(driveFiles.clientId, clientId))
}

function getOrder(orderBy: string | undefined) {
  if (orderBy === undefined || orderBy === 'createdTime') return { by: asc(driveFiles.sequence), after: gt }
  if (orderBy === 'createdTime desc') return { by: desc(driveFiles.sequence), after: lt }
  throw invalidValue('orderBy')
}

async function readOwner(services: Services, c: Context): Promise<Owner> {
  const token = /^Bearer (\S{1,4096})$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const owner = token === undefined ? undefined : await readToken(services, token)
  if (!owner) throw authError()
  return owner
}

async function findFile({ db }: Services, owner: Owner, id: string): Promise<File> {
  const [file] = await db
    .select()
    .from(driveFiles)
    .where(and(eq(driveFiles.id, id), ofOwner(owner)))
  // A file of another user or app does not exist for this one.
  if (!file) throw fileNotFound(id)
  return file
}

export function driveApp(services: Services): Hono {
  const app = new Hono()
  const open = cors({
    origin: '*',
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: ['authorization', 'content-type'],
  })
  app.use('/drive/v3/*', open)
  app.use('/upload/drive/v3/*', open)
  app.onError((error, c) => {
    if (error instanceof DriveError) return c.json(error.toJSON(), error.status)
    services.log({ level: 'error', message: 'unexpected error', error: error.stack ?? error.message })
    if (isDatabaseAway(error))
      return c.json(new DriveError(503, 'backendError', 'Backend Error').toJSON(), 503, {
        'retry-after': String(RETRY_AFTER_S),
      })
    return c.json(new DriveError(500, 'internalError', 'Internal Error').toJSON(), 500)
  })
  mountDriveGrant(app, services)

  app.post('/upload/drive/v3/files', c => upload(services, c))
  app.get('/drive/v3/about', async c => {
    const { owner } = await readOwner(services, c)
    const [, names] = /^user\(([\w,]+)\)$/.exec(c.req.query('fields') ?? '') ?? []
    const user = getUser(owner)
    if (names === undefined || !user) throw invalidValue('fields')
    const fields = { permissionId: String(user.number), displayName: displayName(user), emailAddress: user.email }
    if (names.split(',').some(name => !Object.hasOwn(fields, name))) throw invalidValue('fields')
    return c.json({ user: pick(fields, names.split(',')) })
  })
  app.get('/drive/v3/files', c => listFiles(services, c))
  app.get('/drive/v3/files/:id', async c => {
    const file = await findFile(services, await readOwner(services, c), c.req.param('id'))
    if (c.req.query('alt') !== 'media') return c.json(picker(c.req.query('fields'))(file))
    return new Response(new Uint8Array(file.content), {
      headers: { 'content-type': file.mimeType, 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
    })
  })
  app.delete('/drive/v3/files/:id', async c => {
    const file = await findFile(services, await readOwner(services, c), c.req.param('id'))
    await services.db.delete(driveFiles).where(eq(driveFiles.id, file.id))
    return c.body(null, 204)
  })
  return app
}

async function upload(services: Services, c: Context): Promise<Response> {
  const { db, clock } = services
  const owner = await readOwner(services, c)
  if (c.req.query('uploadType') !== 'multipart') throw invalidValue('uploadType')
  if (Number(c.req.header('content-length') ?? 0) > MAX_BYTES)
    throw new DriveError(413, 'uploadTooLarge', 'Request is too large.')
  const body = new Uint8Array(await c.req.arrayBuffer())
  if (body.length > MAX_BYTES) throw new DriveError(413, 'uploadTooLarge', 'Request is too large.')
  const { metadata, content, mimeType } = readMultipart(c.req.header('content-type') ?? '', body)
  const { success, output } = v.safeParse(metadataSchema, metadata)
  if (!success) throw invalidValue('resource')
  const { parents, name, appProperties } = output
  // This scope allows no other place, and without a parent a file would be in the user's own drive.
  if (parents.length !== 1 || parents[0] !== FOLDER)
    throw new DriveError(403, 'insufficientFilePermissions', 'The app does not have access outside of appDataFolder.')
  for (const [key, value] of Object.entries(appProperties))
    if (Buffer.byteLength(key + value) > MAX_PROPERTY) throw invalidValue('appProperties')
  const pick = picker(c.req.query('fields'))
  if ((await db.$count(driveFiles, ofOwner(owner))) >= MAX_FILES)
    throw new DriveError(403, 'storageQuotaExceeded', 'The user’s Drive storage quota has been exceeded.')
  const now = clock.now()
  const values = {
    id: randomBytes(24).toString('base64url'),
    ...owner,
    name,
    mimeType: output.mimeType ?? mimeType ?? 'application/octet-stream',
    appProperties,
    content,
    createdAt: now,
    modifiedAt: now,
  }
  const [file] = await db.insert(driveFiles).values(values).returning()
  if (!file) throw new Error('The database returned no file.')
  return c.json(pick(file))
}

async function listFiles(services: Services, c: Context): Promise<Response> {
  const owner = await readOwner(services, c)
  const { spaces, q = '', orderBy, pageSize = '100', pageToken, fields } = c.req.query()
  // The default space is the user's own drive, which this scope does not reach.
  if (spaces !== FOLDER)
    throw new DriveError(
      403,
      'insufficientScopes',
      'The granted scopes do not give access to all of the requested spaces.',
    )
  const size = Number(pageSize)
  if (!Number.isInteger(size) || size < 1 || size > 1000) throw invalidValue('pageSize')
  const [, inner] = /(?:^|,)\s*files\(([^)]*)\)/.exec(fields ?? '') ?? []
  const pick = picker(fields === '*' ? '*' : inner)
  const { by, after } = getOrder(orderBy)
  const last = pageToken === undefined ? undefined : Number(Buffer.from(pageToken, 'base64url').toString())
  if (last !== undefined && !Number.isSafeInteger(last)) throw invalidValue('pageToken')
  const rows = await services.db
    .select()
    .from(driveFiles)
    .where(and(ofOwner(owner), ...readQuery(q), last === undefined ? undefined : after(driveFiles.sequence, last)))
    .orderBy(by)
    .limit(size + 1)
  const files = rows.slice(0, size)
  const end = files.at(-1)?.sequence
  const more = rows.length > size && end !== undefined
  return c.json({
    kind: 'drive#fileList',
    incompleteSearch: false,
    ...(more && { nextPageToken: Buffer.from(String(end)).toString('base64url') }),
    files: files.map(pick),
  })
}
