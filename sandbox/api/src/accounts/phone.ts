/** Reads phone numbers in every spelling, and decides which ones may receive a code. */
import { invalidPhone } from '@keybay/kernel/spec'
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Environment } from '../environments.js'
import { ApiError, methodNotEnabled } from '../http/errors.js'
import type { Expense } from '../security/rate-limits.js'

/** Numbers that cost the caller or the sender more, or that receive no text messages. */
const REFUSED: readonly NumberType[] = ['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'VOICEMAIL', 'PAGER']

/** Region of numbers without a country, such as those of satellite phones (UN M49). */
const WORLD = '001'

interface Phone {
  /** E.164 */
  readonly number: string
  /** ISO 3166-1 alpha-2, or `001`. */
  readonly country: string
}

/** @throws ApiError `invalid_phone` */
export function readPhone(value: string | null | undefined): Phone {
  const text = (value ?? '').trim().replace(/^00/, '+')
  const phone = /^\+[\d\s().\-/]{1,40}$/.test(text) ? parsePhoneNumberFromString(text) : undefined
  if (!phone?.isValid() || REFUSED.includes(phone.getType())) throw new ApiError(invalidPhone)
  return { number: phone.number, country: phone.country ?? WORLD }
}

/** Returns a phone number in E.164. @throws ApiError `invalid_phone` */
export function normalizePhone(value: string | null | undefined): string {
  return readPhone(value).number
}

/** Prices are counted in thousandths, because the database counts whole numbers. */
const PER_UNIT = 1000

/** Splits a budget: strangers may use four fifths, so a flood leaves the rest to known clients. */
function share(total: number) {
  const most = Math.floor(total * 0.8)
  return { most, reserve: total - most }
}

/**
 * Returns what a text message to a country takes from the environment's budgets.
 * @throws ApiError `method_not_enabled` for a country that the environment does not name
 */
export function smsExpenses({ sms }: Pick<Environment, 'sms'>, country: string): readonly Expense[] {
  if (sms.countries && !sms.countries.includes(country)) throw new ApiError(methodNotEnabled, { reason: 'country' })
  const price = sms.prices[country] ?? sms.prices.other ?? 0
  return [
    { name: 'sms per country and day', who: country, budget: share(sms.mostPerCountryAndDay) },
    { name: 'sms per environment and day', who: '', budget: share(sms.mostPerDay) },
    ...(sms.costPerDay === undefined
      ? []
      : [
          {
            name: 'sms cost per environment and day',
            who: '',
            amount: Math.ceil(price * PER_UNIT),
            budget: share(sms.costPerDay * PER_UNIT),
          } as const,
        ]),
  ]
}
