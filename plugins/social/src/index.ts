/** Sign-in with social providers: one flow, one plugin per provider. Start with `plugin.ts`, then `engine.ts` (the flow). */
export type { SocialTicket } from '@keybay/account'
export type { SocialApi, SocialInput, SocialMode } from './api.js'
export {
  type ProviderOptions,
  type SocialConnector,
  type SocialOptions,
  type SocialPlugin,
  social,
  socialProvider,
} from './plugin.js'
export type { SocialProviderDefinition, SocialQuestion } from './provider.js'
export { type AppleOptions, apple } from './providers/apple.js'
export { bitbucket } from './providers/bitbucket.js'
export { coinbasesocial } from './providers/coinbasesocial.js'
export { discord } from './providers/discord.js'
export { epicgames } from './providers/epicgames.js'
export { facebook } from './providers/facebook.js'
export { farcaster } from './providers/farcaster.js'
export { github } from './providers/github.js'
export { gitlab } from './providers/gitlab.js'
export { google } from './providers/google.js'
export { instagram } from './providers/instagram.js'
export { kraken } from './providers/kraken.js'
export { line } from './providers/line.js'
export { linkedin } from './providers/linkedin.js'
export { microsoft } from './providers/microsoft.js'
export { shopify } from './providers/shopify.js'
export { spotify } from './providers/spotify.js'
export { steam } from './providers/steam.js'
export { telegram } from './providers/telegram.js'
export { tiktok } from './providers/tiktok.js'
export { twitch } from './providers/twitch.js'
export { twitter } from './providers/twitter.js'
export type { ProviderSteps, SocialFlow, StepTools } from './steps.js'
export { VERSION } from './version.js'
