/** Signs users in with a passkey, and signs them up with a new one. */
import { randomBytes } from 'node:crypto'
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { consume } from '../../accounts/ceremonies.js'
import { assertionSchema, optionsSchema, registrationSchema } from '../../accounts/passkey-schemas.js'
import { beginAssertion, beginRegistration, checkAssertion, finishRegistration } from '../../accounts/passkeys.js'
import { completeSignIn, signInErrors, signInSchema } from '../../accounts/sign-in.js'
import { invalidPasskey, methodNotEnabled } from '../../http/errors.js'
import { id, name, signInFields } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { counted, enabled } from './common.js'

const route = routesOf('sign-in')

const passkeyOptions = route('POST /auth/passkey/options', {
  summary: 'WebAuthn options to sign in with a passkey; none is named, so autofill works and nothing is told.',
  access: 'key',
  status: 201,
  answer: optionsSchema,
  errors: [methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'passkey')
    await counted(call)
    return beginAssertion(call, { kind: 'passkey-sign-in', thumbprint: call.key.thumbprint })
  },
})

const passkey = route('POST /auth/passkey', {
  summary: 'Signs in with a passkey.',
  access: 'key',
  body: v.strictObject({ challengeId: id, response: assertionSchema, ...signInFields }),
  answer: signInSchema,
  errors: [...signInErrors, invalidPasskey, methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'passkey')
    await counted(call)
    const { thumbprint } = call.key
    const ceremony = await consume(call, { id: call.body.challengeId, kind: 'passkey-sign-in', thumbprint })
    const proved = await checkAssertion(call, ceremony?.data.challenge, call.body.response)
    return completeSignIn(call, proved, call.body)
  },
})

const signUpOptions = route('POST /auth/passkey/sign-up/options', {
  summary: 'WebAuthn options to make a passkey, and with it a new user.',
  access: 'key',
  body: v.strictObject({ userName: v.optional(name, 'User') }),
  status: 201,
  answer: optionsSchema,
  errors: [methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'passkey')
    await counted(call)
    const handle = randomBytes(32).toString('base64url')
    const { userName } = call.body
    return beginRegistration(call, {
      kind: 'passkey-sign-up',
      thumbprint: call.key.thumbprint,
      handle,
      userName,
      exclude: [],
    })
  },
})

const signUp = route('POST /auth/passkey/sign-up', {
  summary: 'Makes a user with the new passkey and signs in.',
  access: 'key',
  body: v.strictObject({
    challengeId: id,
    response: registrationSchema,
    name: v.optional(name),
    storage: signInFields.storage,
  }),
  answer: signInSchema,
  errors: [invalidPasskey, methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'passkey')
    await counted(call)
    const key = { id: call.body.challengeId, kind: 'passkey-sign-up', thumbprint: call.key.thumbprint } as const
    const { proved, handle } = await finishRegistration(call, key, call.body.response, call.body.name)
    return completeSignIn(call, proved, call.body, handle)
  },
})

export const passkeyRoutes: readonly Route[] = [passkeyOptions, passkey, signUpOptions, signUp]
