/** `@keybay/social/server`: what the product API needs to know about providers, as data. Imports no page code. */
export { type Answers, type Path, type ProfileMapping, profileOf, type SocialProfile } from './profile.js'
export {
  defineProvider,
  type FarcasterProvider,
  type OAuthProvider,
  type OpenId2Provider,
  type ProfileSource,
  type ServerProvider,
  type TelegramProvider,
} from './provider.js'
export { PROVIDERS } from './providers.js'
