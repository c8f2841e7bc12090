/**
 * Implements Telegram's login: https://core.telegram.org/widgets/login. Fields with an HMAC, in the fragment of the
 * return.
 */
import { createHash, createHmac } from 'node:crypto'
import type { Hono } from 'hono'
import { isRegistered, sandboxClient } from '../clients.js'
import { getPage, mountChooser } from '../pages/chooser.js'
import { errorPage } from '../pages/layout.js'
import type { Services } from '../services.js'
import type { User } from '../users.js'

const PROVIDER = { id: 'telegram', name: 'Telegram' } as const

function signed(fields: Readonly<Record<string, string | number>>, token: string) {
  const text = Object.keys(fields)
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('\n')
  const key = createHash('sha256').update(token).digest()
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') }
}

/**
 * Returns a different second each time for a user: otherwise two responses would be equal, and only one of them would
 * work.
 */
async function nextDate({ records, clock }: Services, { key }: User): Promise<number> {
  const last = Number((await records.get('telegram/date', key))?.date ?? 0)
  const date = Math.max(clock.seconds, last + 1)
  await records.put('telegram/date', { date }, 3600, key)
  return date
}

async function getResult(services: Services, user: User): Promise<string> {
  const fault = services.faults.of(PROVIDER.id)
  const fields = signed(
    {
      id: user.number,
      first_name: user.givenName ?? user.username,
      ...(user.familyName !== undefined && { last_name: user.familyName }),
      username: user.username,
      ...(user.picture !== undefined && { photo_url: user.picture }),
      auth_date: (await nextDate(services, user)) + (fault.skew ?? 0),
    },
    fault.idToken === 'signature' ? 'another' : sandboxClient(PROVIDER.id).secret,
  )
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

export function mountTelegram(app: Hono, services: Services): void {
  const show = mountChooser(app, services, PROVIDER, async (user, { returnTo }) => {
    const result = user ? await getResult(services, user) : 'false'
    const empty = services.faults.of(PROVIDER.id).returns === 'no_code'
    return `${returnTo}${empty ? '' : `#tgAuthResult=${result}`}`
  })
  app.get('/telegram/auth', c => {
    const { bot_id, origin = '', return_to = '' } = c.req.query()
    if (bot_id !== sandboxClient(PROVIDER.id).id) return errorPage('Telegram', 'BOT_ID_INVALID', 'The bot is unknown.')
    const page = getPage(return_to)
    if (!isRegistered(PROVIDER.id, page, services.redirectUris) || new URL(page).origin !== origin)
      return errorPage('Telegram', 'BOT_DOMAIN_INVALID', 'The bot does not have this domain.')
    return show({ returnTo: return_to })
  })
}
