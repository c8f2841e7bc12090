/** Signs users in with a one-time code by email or SMS. */
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { type Channel, checkCode, describeChannel, sendCode, sentSchema } from '../../accounts/codes.js'
import { completeSignIn, signInErrors, signInSchema } from '../../accounts/sign-in.js'
import { methodNotEnabled } from '../../http/errors.js'
import { code, id, signInFields } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { counted, enabled } from './common.js'

const route = routesOf('sign-in')

function getRoutes(channel: Channel): Route[] {
  const { field, body, addressErrors, codeErrors, proved } = describeChannel(channel)
  return [
    route(`POST /auth/${channel}`, {
      summary: `Sends a one-time code by ${channel === 'email' ? 'mail' : 'SMS'}; the answer is the same whether or not anybody has the address.`,
      access: 'key',
      body,
      status: 202,
      answer: sentSchema,
      errors: [...addressErrors, methodNotEnabled, tooManyRequests],
      async run(call) {
        enabled(call.environment, channel)
        return sendCode(call, { channel, to: call.body[field], thumbprint: call.key.thumbprint, purpose: 'sign-in' })
      },
    }),
    route(`POST /auth/${channel}/verify`, {
      summary: 'Signs in with the code.',
      access: 'key',
      body: v.strictObject({ verificationId: id, code, ...signInFields }),
      answer: signInSchema,
      errors: [...codeErrors, ...signInErrors, methodNotEnabled, tooManyRequests],
      async run(call) {
        enabled(call.environment, channel)
        await counted(call)
        const { thumbprint } = call.key
        const subject = await checkCode(call, { channel, thumbprint, purpose: 'sign-in' }, call.body)
        return completeSignIn(call, proved(subject), call.body)
      },
    }),
  ]
}

export const codeRoutes: readonly Route[] = [...getRoutes('email'), ...getRoutes('phone')]
