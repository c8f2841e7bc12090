/** Chooses how social providers open: from `?social-mode=redirect`, else the stored choice. */

import type { AnyCore, KeybayError } from '@keybay/kernel'
import { toast } from '@keybay/react/ui'
import type { SocialMode } from '@keybay/social'
import { readPreference, writePreference } from '../preferences.js'

const NAME = 'social-mode'

function known(value: string | null | undefined): SocialMode | undefined {
  return value === 'popup' || value === 'redirect' ? value : undefined
}

const requestedMode = known(new URLSearchParams(location.search).get(NAME))
if (requestedMode) writePreference(NAME, requestedMode)

/** Returns the current mode; called on each click. */
export function socialMode(): SocialMode {
  return known(readPreference(NAME)) ?? 'popup'
}

export function chooseSocialMode(mode: SocialMode): void {
  writePreference(NAME, mode)
}

/** The `keybay_social` return parameter, read from the URL that the page was opened with. */
const isReturn = new URLSearchParams(location.search).has('keybay_social')

export function tellReturned({ on }: Pick<AnyCore, 'on'>): void {
  if (!isReturn) return
  const offs = [
    on('connection:failed', ({ connectorId, error }) => {
      if (connectorId.startsWith('social:')) end(error, 'bad')
    }),
    on('account:signed-in', () => end('You are signed in')),
    on('account:credentials-changed', () => end('Added to your account')),
  ]
  const end = (text: string | KeybayError, kind?: 'bad') => {
    for (const off of offs) off()
    toast(text, kind, 'session')
  }
}
