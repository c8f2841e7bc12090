/** Sign-in by a wallet, a code, a passkey or the host's own token; and the second factor. */
import { randomInt } from 'node:crypto'
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { begin } from '../accounts/ceremonies.js'
import { proveExternal } from '../accounts/external.js'
import { completeSignIn, signInErrors, signInSchema } from '../accounts/sign-in.js'
import { NONCE_LIFETIME, proveWallet, walletProofSchema } from '../accounts/wallet.js'
import {
  invalidExternalToken,
  invalidMessage,
  invalidNonce,
  invalidSignature,
  methodNotEnabled,
} from '../http/errors.js'
import { signInFields, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { codeRoutes } from './sign-in/code.js'
import { counted, enabled } from './sign-in/common.js'
import { secondFactorRoutes } from './sign-in/mfa.js'
import { passkeyRoutes } from './sign-in/passkey.js'

const route = routesOf('sign-in')

const NONCE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'

const nonce = route('POST /auth/nonce', {
  summary: 'A nonce for a message that a wallet signs. Bound to the session key that asks.',
  access: 'key',
  status: 201,
  answer: v.object({ nonceId: v.string(), nonce: v.string(), expiresAt: time }),
  errors: [tooManyRequests],
  async run(call) {
    await counted(call)
    // Letters and digits only, as in EIP-4361; 20 of 55 are 115 bits.
    const text = Array.from({ length: 20 }, () => NONCE_LETTERS[randomInt(NONCE_LETTERS.length)]).join('')
    const ceremony = await begin(call, {
      kind: 'nonce',
      thumbprint: call.key.thumbprint,
      lifetime: NONCE_LIFETIME,
      data: { nonce: text },
    })
    return { nonceId: ceremony.id, nonce: text, expiresAt: ceremony.expiresAt }
  },
})

const wallet = route('POST /auth/wallet', {
  summary: 'Signs in with a Solana wallet: a signed message, or a transaction that is never sent.',
  access: 'key',
  body: v.strictObject({ proof: walletProofSchema, ...signInFields }),
  answer: signInSchema,
  errors: [...signInErrors, invalidMessage, invalidNonce, invalidSignature, methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'wallet')
    await counted(call)
    const proved = await proveWallet(call, call.body.proof, call.key.thumbprint)
    return completeSignIn(call, proved, call.body)
  },
})

const external = route('POST /auth/external', {
  summary: 'Signs in with a JWT of the host.',
  access: 'key',
  body: v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)), ...signInFields }),
  answer: signInSchema,
  errors: [...signInErrors, invalidExternalToken, methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'external')
    await counted(call)
    return completeSignIn(call, await proveExternal(call, call.body.token), call.body)
  },
})

export const signInRoutes: readonly Route[] = [
  nonce,
  wallet,
  ...codeRoutes,
  ...passkeyRoutes,
  external,
  ...secondFactorRoutes,
]
