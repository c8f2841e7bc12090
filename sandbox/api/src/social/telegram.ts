/** Telegram's login, once per response: https://core.telegram.org/widgets/login (an HMAC over the bot's token). */
import { createHash, createHmac } from 'node:crypto'
import type { TelegramProvider } from '@keybay/social/server'
import * as v from 'valibot'
import { sameText } from '../security/hashes.js'
import { nothingCame, notVerified, providerRefused } from './fault.js'
import type { Attempt, Learned } from './flow.js'
import { spendOnce } from './openid2.js'
import type { ActiveProvider } from './registry.js'

/** Maximum age of a response and maximum clock difference, in seconds. */
const OLDEST = 300
const TOLERANCE = 60

const text = v.union([v.string(), v.pipe(v.number(), v.transform(String))])
const fieldsSchema = v.object({
  id: text,
  first_name: v.optional(text),
  last_name: v.optional(text),
  username: v.optional(text),
  photo_url: v.optional(text),
  auth_date: text,
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})
const NAMES = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash']

export function telegramUrl(
  { client, publicUrl }: ActiveProvider,
  provider: TelegramProvider,
  { redirectUri, stateHash }: { readonly redirectUri: string; readonly stateHash: string },
): string {
  const url = new URL(publicUrl(provider.endpoint))
  const parameters = {
    bot_id: client.id,
    origin: new URL(redirectUri).origin,
    embed: '0',
    request_access: 'write',
    return_to: `${redirectUri}?state=${stateHash}`,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function decoded(result: string): unknown {
  try {
    return JSON.parse(Buffer.from(result, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** @throws ApiError `no_auth_code`, `oauth_error`, `verification_error` */
export async function proveTelegram(attempt: Attempt, provider: TelegramProvider): Promise<Learned> {
  const { active, call, params } = attempt
  const { tgAuthResult } = params
  if (tgAuthResult === undefined && params.hash === undefined) throw nothingCame(provider.id)
  // Telegram's value for a user who refused.
  if (tgAuthResult === 'false') throw providerRefused(provider.id, 'access_denied')
  const fields = v.safeParse(fieldsSchema, tgAuthResult === undefined ? params : decoded(tgAuthResult))
  if (!fields.success) throw notVerified('fields')
  const { hash, ...signed } = fields.output
  const lines = Object.entries(signed)
    .filter(([name, value]) => value !== undefined && NAMES.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const key = createHash('sha256').update(active.client.secret).digest()
  if (!sameText(createHmac('sha256', key).update(lines.join('\n')).digest('hex'), hash)) throw notVerified('hmac')
  const age = call.services.clock.now() / 1000 - Number(signed.auth_date)
  if (!(age >= -TOLERANCE && age <= OLDEST)) throw notVerified('time')
  await spendOnce(attempt, `${provider.id} ${hash}`, (OLDEST + TOLERANCE) * 1000)
  return { answers: { fields: signed } }
}
