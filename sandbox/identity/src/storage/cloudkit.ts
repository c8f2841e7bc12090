/**
 * Implements CloudKit web services: the private database of one container, its default zone, as Apple documents them:
 * https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/
 * `users/caller`, `users/current`, `records/query`, `records/modify`, `assets/upload`. A web token works once; each response has the
 * next one.
 */
import { isDatabaseAway, RETRY_AFTER_S } from '@keybay/sandbox-service/database'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import * as v from 'valibot'
import { mountChooser } from '../pages/chooser.js'
import type { Services } from '../services.js'
import { getUser } from '../users.js'
import { mountAssets, startUploads, uploadsSchema } from './cloudkit-assets.js'
import { badRequest, CloudKitError } from './cloudkit-errors.js'
import { type Database, modifyRecords, modifySchema, queryRecords, querySchema } from './cloudkit-records.js'

const CLOUDKIT_CONTAINER = 'iCloud.dev.keybay.sandbox'
const CLOUDKIT_API_TOKEN = 'keybay-sandbox'
const TOKEN_KIND = 'cloudkit/token'
const TOKEN_SECONDS = 1800
const NEXT_TOKEN = 'x-apple-cloudkit-web-auth-token'
const MAX_BODY = 1024 * 1024

export function cloudKitApp(services: Services): Hono {
  const { records, publicUrl } = services
  const app = new Hono()
  const open = cors({ origin: '*', allowMethods: ['GET', 'POST'], exposeHeaders: [NEXT_TOKEN] })
  app.use('/database/*', open)
  app.use('/cloudkit-content/*', open)
  app.onError((error, c) => {
    if (error instanceof CloudKitError) return new Response(JSON.stringify(error), answer(c, error.status))
    services.log({ level: 'error', message: 'unexpected error', error: error.stack ?? error.message })
    if (!isDatabaseAway(error))
      return Response.json(new CloudKitError('INTERNAL_ERROR', 'internal error'), answer(c, 500))
    const response = Response.json(new CloudKitError('TRY_AGAIN_LATER', 'the service is not available'), answer(c, 503))
    response.headers.set('retry-after', String(RETRY_AFTER_S))
    return response
  })
  const iCloud = { id: 'icloud', name: 'iCloud', scope: 'Keep its own data in your iCloud. Other apps do not see it.' }
  const show = mountChooser(app, services, iCloud, async user => {
    const back = new URL(services.cloudKitCallback)
    // A user who declined gets no token; the app's page sees that it is missing.
    if (user) back.searchParams.set('ckWebAuthToken', await newToken(user.key))
    return back.href
  })
  app.get('/icloud/sign-in', async c =>
    c.req.query('container') === CLOUDKIT_CONTAINER ? show({}) : c.text('The container is unknown.', 404),
  )
  const newToken = (owner: string) => records.put(TOKEN_KIND, { owner }, TOKEN_SECONDS)

  /** Returns the owner's database. Uses up the token, and puts the next one in the response's header. */
  const authenticate = async (c: Context): Promise<Database> => {
    const { container = '', environment = '' } = c.req.param()
    const { ckAPIToken, ckWebAuthToken } = c.req.query()
    if (container !== CLOUDKIT_CONTAINER || ckAPIToken !== CLOUDKIT_API_TOKEN)
      throw new CloudKitError('AUTHENTICATION_FAILED', 'Authentication failed')
    if (environment !== 'development' && environment !== 'production') throw badRequest('unknown environment')
    const known = ckWebAuthToken === undefined ? undefined : await records.take(TOKEN_KIND, ckWebAuthToken)
    const user = getUser(known?.owner)
    if (!user) {
      const page = `${publicUrl}/icloud/sign-in?${new URLSearchParams({ container })}`
      throw new CloudKitError('AUTHENTICATION_REQUIRED', 'request needs authorization', page)
    }
    c.header(NEXT_TOKEN, await newToken(user.key))
    return { container, environment, owner: user.key }
  }
  /** Reads any content type: Apple's own examples send `text/plain`. */
  const read = async <S extends v.GenericSchema>(c: Context, schema: S): Promise<v.InferOutput<S>> => {
    const text = await c.req.text()
    if (text.length > MAX_BODY) throw new CloudKitError('QUOTA_EXCEEDED', 'the request is too large')
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
    if (!parsed.success) throw badRequest(`invalid value: ${v.getDotPath(parsed.issues[0]) ?? 'body'}`)
    return parsed.output
  }
  const base = '/database/1/:container/:environment'
  app.get(`${base}/public/users/caller`, async c => {
    const { owner } = await authenticate(c)
    return c.json({ userRecordName: `_${owner}` })
  })
  app.get(`${base}/public/users/current`, async c => {
    const { owner } = await authenticate(c)
    const { givenName: firstName, familyName: lastName } = getUser(owner) ?? {}
    return c.json({ userRecordName: `_${owner}`, firstName, lastName })
  })
  app.post(`${base}/private/records/query`, async c => {
    const database = await authenticate(c)
    return c.json(await queryRecords(services, database, await read(c, querySchema)))
  })
  app.post(`${base}/private/records/modify`, async c => {
    const database = await authenticate(c)
    return c.json(await modifyRecords(services, database, await read(c, modifySchema)))
  })
  app.post(`${base}/private/assets/upload`, async c => {
    const database = await authenticate(c)
    return c.json(await startUploads(services, database, await read(c, uploadsSchema)))
  })
  mountAssets(app, services)
  return app
}

function answer(c: Context, status: number): ResponseInit {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'access-control-allow-origin': c.req.header('origin') ?? '*',
    },
  }
}
