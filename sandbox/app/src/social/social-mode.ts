/** How social providers are visited: what the address says (`?social-mode=redirect`), then what was chosen. */
import type { SocialMode } from '@keybay/social'
import { readPreference, writePreference } from '../shell/preferences.js'

const NAME = 'social-mode'

function known(value: string | null | undefined): SocialMode | undefined {
  return value === 'popup' || value === 'redirect' ? value : undefined
}

const asked = known(new URLSearchParams(location.search).get(NAME))
if (asked) writePreference(NAME, asked)

/** Asked in each click. */
export function socialMode(): SocialMode {
  return known(readPreference(NAME)) ?? 'popup'
}

export function chooseSocialMode(mode: SocialMode): void {
  writePreference(NAME, mode)
}
