/** The server halves of the 22 providers. */
import type { ServerProvider } from './provider.js'
import { apple } from './providers/apple.js'
import { bitbucket } from './providers/bitbucket.js'
import { coinbasesocial } from './providers/coinbasesocial.js'
import { discord } from './providers/discord.js'
import { epicgames } from './providers/epicgames.js'
import { facebook } from './providers/facebook.js'
import { farcaster } from './providers/farcaster.js'
import { github } from './providers/github.js'
import { gitlab } from './providers/gitlab.js'
import { google } from './providers/google.js'
import { instagram } from './providers/instagram.js'
import { kraken } from './providers/kraken.js'
import { line } from './providers/line.js'
import { linkedin } from './providers/linkedin.js'
import { microsoft } from './providers/microsoft.js'
import { shopify } from './providers/shopify.js'
import { spotify } from './providers/spotify.js'
import { steam } from './providers/steam.js'
import { telegram } from './providers/telegram.js'
import { tiktok } from './providers/tiktok.js'
import { twitch } from './providers/twitch.js'
import { twitter } from './providers/twitter.js'

export const PROVIDERS: readonly ServerProvider[] = [
  apple,
  bitbucket,
  coinbasesocial,
  discord,
  epicgames,
  facebook,
  farcaster,
  github,
  gitlab,
  google,
  instagram,
  linkedin,
  microsoft,
  twitch,
  twitter,
  telegram,
  spotify,
  tiktok,
  line,
  steam,
  shopify,
  kraken,
]
