/** Signs users in with a one-time code by email or SMS. */
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import {
  type Channel,
  checkCode,
  describeChannel,
  SIGN_IN,
  sendCode,
  sentSchema,
  signInByCode,
} from '../../accounts/codes.js'
import { completeSignIn, signInErrors, signInSchema } from '../../accounts/sign-in.js'
import { methodNotEnabled } from '../../http/errors.js'
import { code, id, signInFields } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { enabled, getExpenses } from './common.js'

const route = routesOf('sign-in')

function getRoutes(channel: Channel): Route[] {
  const { field, body, addressErrors, codeErrors } = describeChannel(channel)
  return [
    route(`POST /auth/${channel}`, {
      summary: `Sends a one-time code by ${channel === 'email' ? 'mail' : 'SMS'}; the answer is the same whether or not anybody has the address.`,
      access: 'proof',
      body,
      status: 202,
      answer: sentSchema,
      errors: [...addressErrors, methodNotEnabled, tooManyRequests],
      async run(call) {
        enabled(call.environment, channel)
        const { proof } = call
        const { thumbprint } = proof.key
        return sendCode(call, { channel, to: call.body[field], thumbprint, purpose: SIGN_IN, proof })
      },
    }),
    route(`POST /auth/${channel}/verify`, {
      summary: 'Signs in with the code.',
      access: 'proof',
      body: v.strictObject({ verificationId: id, code, ...signInFields }),
      answer: signInSchema,
      errors: [...codeErrors, ...signInErrors, methodNotEnabled, tooManyRequests],
      async run(call) {
        enabled(call.environment, channel)
        const { proof, body } = call
        const { key } = proof
        const check = { channel, thumbprint: key.thumbprint, purpose: SIGN_IN, proof, expenses: getExpenses(call) }
        const { proved, ...address } =
          body.sessionId === undefined
            ? await signInByCode(call, { ...check, key, storage: body.storage }, body)
            : await checkCode(call, check, body)
        return completeSignIn(Object.assign(call, { key }), proved, { ...body, ...address })
      },
    }),
  ]
}

export const codeRoutes: readonly Route[] = [...getRoutes('email'), ...getRoutes('phone')]
