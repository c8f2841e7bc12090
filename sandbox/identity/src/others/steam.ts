/**
 * Implements Steam: OpenID 2.0 (https://openid.net/specs/openid-authentication-2_0.html), without associations, and the
 * Web API for names.
 */
import { createHmac } from 'node:crypto'
import type { Hono } from 'hono'
import { isRegistered, sandboxClient } from '../clients.js'
import { getPage, mountChooser } from '../pages/chooser.js'
import { errorPage } from '../pages/layout.js'
import { randomId } from '../records.js'
import type { Services } from '../services.js'
import { fullName, USERS, type User } from '../users.js'

const PROVIDER = { id: 'steam', name: 'Steam' } as const
const NS = 'http://specs.openid.net/auth/2.0'
const SELECT = `${NS}/identifier_select`
const SIGNED = ['signed', 'op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle']
const NONCE_SECONDS = 300

function steamId({ number }: User): string {
  return `76561198000${number}`
}

function getSignature({ keys }: Services, fields: Readonly<Record<string, string>>): string {
  const text = SIGNED.map(name => `${name}:${fields[`openid.${name}`]}\n`).join('')
  return createHmac('sha256', keys.derive('steam')).update(text).digest('base64')
}

async function assertion(services: Services, user: User, returnTo: string): Promise<Record<string, string>> {
  const id = `${services.publicUrl}/steam/openid/id/${steamId(user)}`
  const nonce = `${new Date(services.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')}${randomId()}`
  await services.records.put('steam/nonce', {}, NONCE_SECONDS, nonce)
  const fields = {
    'openid.ns': NS,
    'openid.mode': 'id_res',
    'openid.op_endpoint': `${services.publicUrl}/steam/openid/login`,
    'openid.claimed_id': id,
    'openid.identity': id,
    'openid.return_to': returnTo,
    'openid.response_nonce': nonce,
    'openid.assoc_handle': '1234567890',
    'openid.signed': SIGNED.join(','),
  }
  const broken = services.faults.of(PROVIDER.id).idToken === 'signature'
  return { ...fields, 'openid.sig': broken ? 'AAAA' : getSignature(services, fields) }
}

export function mountSteam(app: Hono, services: Services): void {
  const show = mountChooser(app, services, PROVIDER, async (user, stored) => {
    const returnTo = String(stored.returnTo)
    const url = new URL(returnTo)
    const empty = services.faults.of(PROVIDER.id).returns === 'no_code'
    const fields: Record<string, string> = user
      ? await assertion(services, user, returnTo)
      : { 'openid.ns': NS, 'openid.mode': 'cancel' }
    for (const [name, value] of Object.entries(empty ? {} : fields)) url.searchParams.set(name, value)
    return url.href
  })
  app.get('/steam/openid/login', c => {
    const query = c.req.query()
    const returnTo = query['openid.return_to'] ?? ''
    const realm = query['openid.realm'] ?? ''
    const page = getPage(returnTo)
    if (
      !isRegistered(PROVIDER.id, page, services.redirectUris) ||
      !URL.canParse(realm) ||
      new URL(realm).origin !== new URL(page).origin
    )
      return errorPage('Steam', 'invalid_return_to', 'return_to is not in the realm, or not a page of this app.')
    const wrong =
      query['openid.ns'] !== NS ||
      query['openid.mode'] !== 'checkid_setup' ||
      query['openid.claimed_id'] !== SELECT ||
      query['openid.identity'] !== SELECT
    if (wrong) return errorPage('Steam', 'invalid_request', 'This is no OpenID 2.0 request for identifier_select.')
    return show({ returnTo })
  })
  // Direct verification (§11.4.2): each response verifies once.
  app.post('/steam/openid/login', async c => {
    const fields = Object.fromEntries(new URLSearchParams(await c.req.text()))
    const isValid =
      fields['openid.mode'] === 'check_authentication' &&
      fields['openid.signed'] === SIGNED.join(',') &&
      fields['openid.sig'] === getSignature(services, fields) &&
      (await services.records.take('steam/nonce', fields['openid.response_nonce'] ?? '')) !== undefined
    return c.text(`ns:${NS}\nis_valid:${isValid}\n`)
  })
  app.get('/steam/ISteamUser/GetPlayerSummaries/v2/', c => {
    const { key, steamids = '' } = c.req.query()
    if (key !== sandboxClient(PROVIDER.id).secret) return c.html('<html><body><h1>Forbidden</h1></body></html>', 403)
    const ids = steamids.split(',')
    const players = USERS.filter(user => ids.includes(steamId(user))).map(user => ({
      steamid: steamId(user),
      communityvisibilitystate: 3,
      personaname: user.username,
      realname: fullName(user),
      avatarfull: user.picture,
    }))
    return c.json({ response: { players } })
  })
}
