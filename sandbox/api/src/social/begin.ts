/** Begins a flow by the provider's protocol, and returns the URL that the user is sent to. */
import type { ServerProvider } from '@keybay/social/server'
import { ApiError } from '../http/errors.js'
import { openChannel } from './farcaster.js'
import { noAddress } from './fault.js'
import { authorizationUrl, type Request } from './oauth.js'
import { openId2Url } from './openid2.js'
import type { ActiveProvider } from './registry.js'
import { telegramUrl } from './telegram.js'

export interface Beginning {
  readonly url: string
  /** Channel of Farcaster's relay. */
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
