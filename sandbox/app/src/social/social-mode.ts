/** Chooses how social providers open: from `?social-mode=redirect`, else the stored choice. */
import type { SocialMode } from '@keybay/social'
import { readPreference, writePreference } from '../shell/preferences.js'

const NAME = 'social-mode'

function known(value: string | null | undefined): SocialMode | undefined {
  return value === 'popup' || value === 'redirect' ? value : undefined
}

const asked = known(new URLSearchParams(location.search).get(NAME))
if (asked) writePreference(NAME, asked)

/** Returns the current mode; called on each click. */
export function socialMode(): SocialMode {
  return known(readPreference(NAME)) ?? 'popup'
}

export function chooseSocialMode(mode: SocialMode): void {
  writePreference(NAME, mode)
}
