/** Signs users in with the host's own token. */
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { proveExternal } from '../../accounts/external.js'
import { completeSignIn, signInSchema } from '../../accounts/sign-in.js'
import { invalidExternalToken, methodNotEnabled } from '../../http/errors.js'
import { storage } from '../../http/fields.js'
import { type Route, route } from '../../http/route.js'
import { counted, enabled, keyErrors } from './common.js'

export const external: Route = route(
  {
    method: 'POST',
    path: '/auth/external',
    tag: 'sign-in',
    summary: 'Signs in with a JWT of the host.',
    access: 'key',
    body: v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)), storage }),
    answer: signInSchema,
    errors: [...keyErrors, invalidExternalToken, methodNotEnabled, tooManyRequests],
  },
  async call => {
    enabled(call.environment, 'external')
    await counted(call)
    return completeSignIn(call, await proveExternal(call, call.body.token), call.body.storage)
  },
)
