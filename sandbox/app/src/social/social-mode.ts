/** How social providers are visited: what the address says (`?social-mode=redirect`), then what was chosen. */
import type { SocialMode } from '@keybay/social'
import { readPreference, writePreference } from '../shell/preferences.js'

const NAME = 'social-mode'

const known = (value: string | null | undefined): SocialMode | undefined =>
  value === 'popup' || value === 'redirect' ? value : undefined

const asked = known(new URLSearchParams(location.search).get(NAME))
if (asked) writePreference(NAME, asked)

/** Asked in each click. */
export const socialMode = (): SocialMode => known(readPreference(NAME)) ?? 'popup'

export const chooseSocialMode = (mode: SocialMode): void => writePreference(NAME, mode)
