/** Texts for an attempt to connect: what happens, and after a failure what to do. */
import type { Attempt, Connector, KeybayError } from '@keybay/kernel'
import { useMemo } from 'react'
import { useExplain } from './explain.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { useUi } from './provider.js'

const ADVICE = {
  user_rejected: 'errorRejected',
  aborted: 'errorAborted',
  connect_timeout: 'errorTimeout',
  wallet_locked: 'errorLocked',
  account_not_found: 'errorNoAccount',
  connector_not_ready: 'errorNotReady',
  connector_unknown: 'errorGone',
} as const

function isKnown(code: string): code is keyof typeof ADVICE {
  return code in ADVICE
}

interface Wording {
  /** @param name of the wallet or login */
  advice(error: KeybayError, name: string): string
  waiting(attempt: Attempt | undefined, connector: Connector): string | undefined
}

export function useWording(): Wording {
  const { text } = useMessages(ui)
  const { locale } = useUi()
  const explain = useExplain()
  return useMemo(
    () => ({
      advice(error, name) {
        const { code, message } = error
        // The message is English.
        if (!isKnown(code)) return locale === 'en' ? text('errorOther', { name, message }) : explain(error)
        // The one text without a name.
        const key = ADVICE[code]
        return key === 'errorAborted' ? text(key) : text(key, { name })
      },
      waiting(attempt, { kind, name }) {
        if (attempt?.status === 'redirecting') return text('waitOpening', { name })
        if (attempt?.status === 'connecting') return text(kind === 'wallet' ? 'waitConfirm' : 'waitLogin', { name })
        return undefined
      },
    }),
    [text, locale, explain],
  )
}
