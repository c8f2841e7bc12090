/** Words for errors: what happened, and what to do. */
import { isKeybayError, type KeybayError, toKeybayError } from '@keybay/kernel'
import { field } from '@keybay/kernel/spec'
import { useMemo } from 'react'
import { errorMessages } from './locales/en/errors.js'
import { walletErrorMessages } from './locales/en/wallet-errors.js'
import { type MessageSection, type Messages, useMessages } from './messages.js'
import { useUi } from './provider.js'

type Texts = Messages<typeof errorMessages.texts>['text']
/** Texts of other languages by error code, where English needs no advice after the error's own message. */
const CODES: MessageSection = { name: 'codes', texts: {} }
const SECONDS = 60
/** Up to this number, seconds say more than minutes. */
const MAX_SECONDS = 90

/** Checks whether the user refused a request or a message (wallet error numbers 2 and 3), whatever the code. */
function isRefusal({ walletCode }: KeybayError): boolean {
  return walletCode === 2 || walletCode === 3
}

function hasKey<T extends object>(texts: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(texts, key)
}

/** Returns when to retry, which some services send in seconds. */
function getRetry(error: KeybayError, text: Texts): string | undefined {
  const seconds = field(error.details, 'retryAfter')
  if (typeof seconds !== 'number' || seconds <= 0) return undefined
  return seconds < MAX_SECONDS
    ? text('retrySeconds', { count: seconds })
    : text('retryMinutes', { count: Math.ceil(seconds / SECONDS) })
}

function endSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

/**
 * Returns a function that says what an error means and what to do, in the language of the UI. `UiProvider`'s `explainError`
 * replaces it.
 *
 * @example
 * const explain = useExplain()
 * return <p role="alert">{explain(error)}</p>
 */
export function useExplain(): (error: unknown) => string {
  const { explainError, locale } = useUi()
  const { text } = useMessages(errorMessages)
  const { text: walletText } = useMessages(walletErrorMessages)
  const { text: codeText } = useMessages(CODES)
  return useMemo(() => {
    if (explainError) return explainError
    const getAdvice = (code: string) => {
      if (hasKey(walletErrorMessages.texts, code)) return walletText(code)
      // The texts with values have no code of an error.
      return hasKey(errorMessages.texts, code) && code !== 'retryMinutes' && code !== 'retrySeconds' && code !== 'other'
        ? text(code)
        : undefined
    }
    return (thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : String(thrown)
      const error = toKeybayError(thrown)
      const { code } = error
      if (isRefusal(error)) return text(code === 'oauth_error' ? 'cancelledThere' : 'declined')
      // Browsers word it differently; each message means that a file of this page failed to load.
      if (/dynamically import|importing a module/i.test(message)) return text('notLoaded')
      const advice = getAdvice(code)
      const retry = getRetry(error, text)
      if (locale !== 'en') {
        const known = advice ?? codeText(code)
        return [known || text('other', { detail: `${code}: ${message}` }), retry].filter(Boolean).join(' ')
      }
      if (!isKeybayError(thrown)) return message
      // The message of such an error says what to do.
      const isComplete = code === 'merge_accounts_invalid' && field(error.details, 'reason') !== undefined
      return [endSentence(message), retry ?? (isComplete ? undefined : advice)].filter(Boolean).join(' ')
    }
  }, [explainError, locale, text, walletText, codeText])
}
