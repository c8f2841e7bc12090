/** Turns a provider's response into a proved account, or into an error that gives the reason. */
import { profileOf, type ServerProvider } from '@keybay/social/server'
import { ApiError } from '../http/errors.js'
import { openChannel, proveFarcaster } from './farcaster.js'
import { noAddress, providerRefused, sessionOver, stateMismatch, unexpected } from './fault.js'
import type { Attempt, Learned, ProvedAccount } from './flow.js'
import { authorizationUrl, proveOAuth, type Request } from './oauth.js'
import { openId2Url, proveOpenId2 } from './openid2.js'
import type { ActiveProvider } from './registry.js'
import { proveTelegram, telegramUrl } from './telegram.js'

const MAX_ID = 255

async function learn(attempt: Attempt): Promise<Learned> {
  const { active, call, flow } = attempt
  const { provider } = active
  const open = (sealed: string, use: string) =>
    call.services.hashes.open(sealed, `social ${use} ${flow.stateHash}`).toString()
  switch (provider.protocol) {
    case 'oauth2':
      return proveOAuth(attempt, provider, flow.form === undefined ? undefined : JSON.parse(open(flow.form, 'form')))
    case 'openid2':
      return proveOpenId2(attempt, provider)
    case 'telegram':
      return proveTelegram(attempt, provider)
    case 'farcaster':
      if (flow.channel === undefined) throw sessionOver(provider.id)
      return proveFarcaster(attempt, provider, open(flow.channel, 'channel'))
  }
}

/** @throws ApiError as listed in the README's table */
export async function prove(attempt: Attempt): Promise<ProvedAccount> {
  const { active, flow, params } = attempt
  const { id, profile: mapping } = active.provider
  if (params.state !== flow.stateHash) throw stateMismatch(id)
  const error = params.error ?? (params['openid.mode'] === 'cancel' ? 'access_denied' : undefined)
  if (error !== undefined) throw providerRefused(id, error)
  const { answers, tokens } = await learn(attempt)
  const profile = profileOf(mapping, answers)
  if (!profile || profile.id.length > MAX_ID || /[\0\p{Surrogate}]/u.test(profile.id)) throw unexpected('profile')
  return { profile, tokens }
}

export interface Beginning {
  readonly url: string
  readonly channel?: string
}

async function beginning(active: ActiveProvider, provider: ServerProvider, request: Request): Promise<Beginning> {
  switch (provider.protocol) {
    case 'oauth2':
      return { url: await authorizationUrl(active, provider, request) }
    case 'openid2':
      return { url: openId2Url(active, provider, request) }
    case 'telegram':
      return { url: telegramUrl(active, provider, request) }
    case 'farcaster': {
      const { url, token } = await openChannel(active, provider, request)
      return { url, channel: token }
    }
  }
}

/** @throws ApiError `no_oauth_url` if the provider does not publish the address */
export function addressOf(active: ActiveProvider, request: Request): Promise<Beginning> {
  return beginning(active, active.provider, request).catch(error => {
    throw error instanceof ApiError ? noAddress() : error
  })
}
