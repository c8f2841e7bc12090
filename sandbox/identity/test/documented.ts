/** The documented responses of the 22 providers. A file has the pages and the day; field names, types, nesting and codes are theirs, and
 * tokens, hashes and long texts are shortened. */
import { apple } from './documented/apple.js'
import { bitbucket } from './documented/bitbucket.js'
import { coinbasesocial } from './documented/coinbasesocial.js'
import { discord } from './documented/discord.js'
import { epicgames } from './documented/epicgames.js'
import { facebook } from './documented/facebook.js'
import { farcaster } from './documented/farcaster.js'
import { github } from './documented/github.js'
import { gitlab } from './documented/gitlab.js'
import { google } from './documented/google.js'
import { instagram } from './documented/instagram.js'
import { kraken } from './documented/kraken.js'
import { line } from './documented/line.js'
import { linkedin } from './documented/linkedin.js'
import { microsoft } from './documented/microsoft.js'
import { shopify } from './documented/shopify.js'
import { spotify } from './documented/spotify.js'
import { steam } from './documented/steam.js'
import { telegram } from './documented/telegram.js'
import { tiktok } from './documented/tiktok.js'
import { twitch } from './documented/twitch.js'
import { twitter } from './documented/twitter.js'
import type { Documented } from './documented/types.js'

export type { Documented, DocumentedError } from './documented/types.js'

export const DOCUMENTED: readonly Documented[] = [
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
  kraken,
  line,
  linkedin,
  microsoft,
  shopify,
  spotify,
  steam,
  telegram,
  tiktok,
  twitch,
  twitter,
]
