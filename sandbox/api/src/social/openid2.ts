/** OpenID 2.0, for Steam: the provider itself checks the signed fields of the return (§11 of the specification). */
import type { OpenId2Provider } from '@keybay/social/server'
import { proofs } from '../db/schema.js'
import { sha256 } from '../security/hashes.js'
import { nothingCame, notVerified } from './fault.js'
import type { Attempt, Learned } from './flow.js'
import { ask } from './http.js'
import type { ActiveProvider } from './registry.js'

const NS = 'http://specs.openid.net/auth/2.0'
const SELECT = `${NS}/identifier_select`
/** Fields that must be signed for a response to prove anything. */
const MUST_BE_SIGNED = ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce']
/** Maximum age of a response, in ms. */
const OLDEST = 5 * 60_000

/** Returns the URL that the user comes back to, which includes the state. */
function getReturnTo(redirectUri: string, stateHash: string): string {
  return `${redirectUri}?state=${stateHash}`
}

export function openId2Url(
  { publicUrl }: ActiveProvider,
  provider: OpenId2Provider,
  { redirectUri, stateHash }: { readonly redirectUri: string; readonly stateHash: string },
): string {
  const url = new URL(publicUrl(provider.endpoint))
  const fields = {
    ns: NS,
    mode: 'checkid_setup',
    claimed_id: SELECT,
    identity: SELECT,
    return_to: getReturnTo(redirectUri, stateHash),
    realm: new URL(redirectUri).origin,
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(`openid.${name}`, value)
  return url.href
}

/** Remembers a single-use value for as long as it would be accepted. @throws ApiError `verification_error` */
export async function spendOnce({ call }: Attempt, what: string, lifetime: number): Promise<void> {
  const { db, clock } = call.services
  const [fresh] = await db
    .insert(proofs)
    .values({ id: sha256(what), expiresAt: clock.now() + lifetime })
    .onConflictDoNothing()
    .returning()
  if (!fresh) throw notVerified('replay')
}

/** @throws ApiError `no_auth_code`, `verification_error`, `signin_error` */
export async function proveOpenId2(attempt: Attempt, provider: OpenId2Provider): Promise<Learned> {
  const { active, call, flow, params } = attempt
  const field = (name: string): string => params[`openid.${name}`] ?? ''
  if (field('mode') !== 'id_res') throw nothingCame(provider.id)
  const signed = field('signed').split(',')
  if (MUST_BE_SIGNED.some(name => !signed.includes(name))) throw notVerified('signed')
  if (field('ns') !== NS || field('op_endpoint') !== active.publicUrl(provider.endpoint)) throw notVerified('endpoint')
  if (field('return_to') !== getReturnTo(flow.redirectUri, flow.stateHash)) throw notVerified('return_to')
  const prefix = withoutScheme(active.publicUrl(provider.identifier))
  const claimed = withoutScheme(field('claimed_id'))
  const id = claimed.startsWith(prefix) ? claimed.slice(prefix.length) : ''
  if (!/^\d{1,20}$/.test(id) || field('identity') !== field('claimed_id')) throw notVerified('claimed_id')
  const age = call.services.clock.now() - Date.parse(field('response_nonce').slice(0, 20))
  if (!(Math.abs(age) <= OLDEST)) throw notVerified('time')
  await spendOnce(attempt, `${provider.id} ${field('response_nonce')}`, 2 * OLDEST)
  const openid = Object.entries(params).filter(([name]) => name.startsWith('openid.'))
  const body = new URLSearchParams([
    ...openid.filter(([name]) => name !== 'openid.mode'),
    ['openid.mode', 'check_authentication'],
  ])
  const { text } = await ask(active.internalUrl(provider.endpoint), { method: 'POST', body })
  if (!/^is_valid:true$/m.test(text)) throw notVerified('signature')
  return { answers: { openid: { id }, ...(await readSources(attempt, provider, id)) } }
}

/** Steam's pages write the ID's URL with either scheme; nothing is fetched from it. */
function withoutScheme(url: string): string {
  return url.replace(/^https?:/, '')
}

/** Fetches names and pictures if the operator has a key; otherwise the ID is enough. */
async function readSources({ active }: Attempt, { sources = {} }: OpenId2Provider, id: string) {
  const { secret } = active.client
  if (secret === '') return {}
  const entries = Object.entries(sources).map(async ([name, { url }]) => {
    const filled = url.replace('{key}', encodeURIComponent(secret)).replace('{id}', id)
    return [name, (await ask(active.internalUrl(filled))).json] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
