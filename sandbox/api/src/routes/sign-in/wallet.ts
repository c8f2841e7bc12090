/** Signs users in with a wallet: a nonce, and the message or transaction that contains it. */
import { randomInt } from 'node:crypto'
import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { begin } from '../../accounts/ceremonies.js'
import { completeSignIn, signInSchema } from '../../accounts/sign-in.js'
import { NONCE_LIFETIME, proveWallet, walletProofSchema } from '../../accounts/wallet.js'
import { invalidMessage, invalidNonce, invalidSignature, methodNotEnabled } from '../../http/errors.js'
import { storage, time } from '../../http/fields.js'
import { type Route, routesOf } from '../../http/route.js'
import { counted, enabled } from './common.js'

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
  body: v.strictObject({ proof: walletProofSchema, storage }),
  answer: signInSchema,
  errors: [invalidMessage, invalidNonce, invalidSignature, methodNotEnabled, tooManyRequests],
  async run(call) {
    enabled(call.environment, 'wallet')
    await counted(call)
    const proved = await proveWallet(call, call.body.proof, call.key.thumbprint)
    return completeSignIn(call, proved, call.body.storage)
  },
})

export const walletRoutes: readonly Route[] = [nonce, wallet]
