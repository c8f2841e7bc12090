/** Signs users in with a one-time code by email or SMS. */
import {
  emailCannotBeNull,
  invalidEmail,
  invalidPhone,
  tooManyEmailVerificationAttempts,
  tooManyRequests,
  tooManySmsVerificationAttempts,
  wrongEmailVerificationToken,
  wrongSmsVerificationToken,
} from '@keybay/kernel/spec'
import * as v from 'valibot'
import { CHANNELS, type Channel, checkCode, sendCode, sentSchema } from '../../accounts/codes.js'
import { completeSignIn, signInSchema } from '../../accounts/sign-in.js'
import { methodNotEnabled } from '../../http/errors.js'
import { code, id, storage } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { counted, enabled } from './common.js'

const route = routesOf('sign-in')

const address = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(320))))

function getRoutes(channel: Channel): Route[] {
  const { proved } = CHANNELS[channel]
  const body = channel === 'email' ? v.strictObject({ email: address }) : v.strictObject({ phoneNumber: address })
  const mine =
    channel === 'email'
      ? {
          address: [emailCannotBeNull, invalidEmail],
          code: [wrongEmailVerificationToken, tooManyEmailVerificationAttempts],
        }
      : { address: [invalidPhone], code: [wrongSmsVerificationToken, tooManySmsVerificationAttempts] }
  return [
    route(`POST /auth/${channel}`, {
      summary: `Sends a one-time code by ${channel === 'email' ? 'mail' : 'SMS'}; the answer is the same whether or not anybody has the address.`,
      access: 'key',
      body,
      status: 202,
      answer: sentSchema,
      errors: [...mine.address, methodNotEnabled, tooManyRequests],
      async run(call) {
        enabled(call.environment, channel)
        const to =
          'email' in call.body ? call.body.email : 'phoneNumber' in call.body ? call.body.phoneNumber : undefined
        return sendCode(call, { channel, to, thumbprint: call.key.thumbprint, purpose: 'sign-in' })
      },
    }),
    route(`POST /auth/${channel}/verify`, {
      summary: 'Signs in with the code.',
      access: 'key',
      body: v.strictObject({ verificationId: id, code, storage }),
      answer: signInSchema,
      errors: [...mine.code, methodNotEnabled, tooManyRequests],
      async run(call) {
        enabled(call.environment, channel)
        await counted(call)
        const { thumbprint } = call.key
        const subject = await checkCode(call, { channel, thumbprint, purpose: 'sign-in' }, call.body)
        return completeSignIn(call, proved(subject), call.body.storage)
      },
    }),
  ]
}

export const codeRoutes: readonly Route[] = [...getRoutes('email'), ...getRoutes('phone')]
