import { defineProvider, type OAuthProvider } from '../provider.js'

/**
 * The client ID is `client_key`, scopes are separated by commas, and every response has an `error`, successful ones too.
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info user profile
 */
export const tiktok: OAuthProvider = defineProvider({
  id: 'tiktok',
  docs: 'https://developers.tiktok.com/doc/login-kit-web',
  protocol: 'oauth2',
  endpoints: {
    authorization: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
  },
  scopes: ['user.info.basic'],
  scopeSeparator: ',',
  clientIdName: 'client_key',
  pkce: false,
  clientAuthentication: 'post',
  sources: {
    user: { url: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name' },
  },
  profile: { id: 'user.data.user.open_id', name: 'user.data.user.display_name', picture: 'user.data.user.avatar_url' },
})
