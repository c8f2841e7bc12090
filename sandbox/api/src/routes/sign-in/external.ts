/** Signs users in with the host's own token. */
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { proveExternal } from '../../accounts/external.js'
import { completeSignIn, signInSchema } from '../../accounts/sign-in.js'
import { invalidExternalToken, methodNotEnabled } from '../../http/errors.js'
import { storage } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { counted, enabled } from './common.js'

const route = routesOf('sign-in')

export const external: Route = route('POST /auth/external', {
  summary: 'Signs in with a JWT of the host.',
  access: 'key',
  body: v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)), storage }),
  answer: signInSchema,
  errors: [invalidExternalToken, methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'external')
    await counted(call)
    return completeSignIn(call, await proveExternal(call, call.body.token), call.body.storage)
  },
})
