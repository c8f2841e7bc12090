import { useMemo } from 'react'
import type { UiLocale } from './messages.js'
import { useUi } from './provider.js'

/** The day before the month, as in most of the world. */
const FORMATS: { readonly [L in UiLocale]: string } = { en: 'en-GB', es: 'es', ar: 'ar', pseudo: 'en-GB' }

/** Words for moments, in the language of the UI. Times are ms since epoch. */
export interface Dates {
  /** `23 Dec 2026, 14:05` */
  moment(time: number): string
  /** `23 December 2026` */
  day(time: number): string
}

/** @example useDates().moment(session.createdAt) */
export function useDates(): Dates {
  const locale = FORMATS[useUi().locale]
  return useMemo(() => {
    // Created when they are first used: the browser loads its data then, which takes a phone 50 ms.
    let moments: Intl.DateTimeFormat | undefined
    let days: Intl.DateTimeFormat | undefined
    return {
      moment(time) {
        moments ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
        return moments.format(time)
      },
      day(time) {
        days ??= new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
        return days.format(time)
      },
    }
  }, [locale])
}
