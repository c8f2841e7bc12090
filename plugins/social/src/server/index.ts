/** The server half of social sign-in: what the product API must know of a provider. Data only; provider.ts says what it means. */
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
