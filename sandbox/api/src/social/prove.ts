/** Turns a provider's response into a proved account, or into an error that gives the reason. */
import { profileOf } from '@keybay/social/server'
import { proveFarcaster } from './farcaster.js'
import { providerRefused, sessionOver, stateMismatch, unexpected } from './fault.js'
import { proveOAuth } from './oauth.js'
import { proveOpenId2 } from './openid2.js'
import type { Attempt, Learned, ProvedAccount } from './proved.js'
import { proveTelegram } from './telegram.js'

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
