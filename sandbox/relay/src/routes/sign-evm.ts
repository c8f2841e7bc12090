/**
 * Signing by an EVM account. No threshold ECDSA is used: this party parses and hashes the content, checks every
 * authority, records the signature, and then releases its share for this one signature, sealed to a one-time key
 * of the frame, which reconstructs the key. A policy could not bind, so every signature needs the user's consent.
 */
import { personalDigest, readEvmTransaction, readTypedData } from '@keybay/waas/evm'
import * as v from 'valibot'
import { auditEntry, authorizeSet } from '../authority/authorize.js'
import { demandMfa } from '../authority/mfa.js'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import { base64url, bytes, toText, uuid } from '../http/fields.js'
import { LARGE_BODY_BYTES, route } from '../http/route.js'
import { checkHost, getFactor, peerShares, releaseBody, released, releaseShare } from './release.js'
import { checkSigner, getSigners, MAX_BYTES, SIGN_ACTION, signErrors, spend } from './signing.js'

type Kind = 'transaction' | 'message' | 'typedData'
const OPERATIONS: { readonly [K in Kind]: string } = {
  transaction: 'signTransaction',
  message: 'signMessage',
  typedData: 'signTypedData',
}
const DIGESTS: { readonly [K in Kind]: (content: Uint8Array) => Uint8Array } = {
  transaction: content => readEvmTransaction(content).digest,
  message: personalDigest,
  typedData: content => readTypedData(new TextDecoder('utf-8', { fatal: true }).decode(content)).digest,
}
/** Returns the digest to sign, by this party's own parsing. @throws RelayError `invalid_request` */
function getDigest(kind: Kind, content: Uint8Array): Uint8Array {
  try {
    return DIGESTS[kind](content)
  } catch {
    throw new RelayError('invalid_request', { reason: 'content' })
  }
}

export const signEvmRoute = route({
  path: '/wallets/{walletId}/sign/evm',
  summary: 'Reads and hashes what an EVM account is to sign, and releases this party’s share for that one signature.',
  bodyLimit: LARGE_BODY_BYTES,
  params: v.object({ walletId: uuid }),
  body: v.strictObject({
    ...releaseBody,
    kind: v.picklist(['transaction', 'message', 'typedData']),
    content: bytes(MAX_BYTES),
  }),
  answer: v.object({ ...released.entries, digest: base64url }),
  errors: [...signErrors, 'invalid_request', 'peer_unavailable'],
  run: async (call, { params: { walletId }, body }) => {
    const { kind, content, setId } = body
    const request = { walletId, setId, op: OPERATIONS[kind], hash: sha256(content), signers: getSigners }
    const authority = await authorizeSet(call, request)
    const { row, session, device, operation } = authority
    checkSigner(call, row, authority, 'EVM')
    const digest = toText(getDigest(kind, content))
    checkHost(call, body.hostOrigin)
    // Check consent before the second factor, which can be redeemed once.
    if (!device.consent) throw new RelayError('consent_required', { rule: 'reconstructed' })
    const mfa = await demandMfa(call, session, SIGN_ACTION, operation)
    const factor = getFactor(call)
    const sharesFromPeer = await peerShares(call, row, factor, mfa)
    await spend(call, authority, 'EVM', auditEntry(call, authority, row.epoch, 'signed', { kind, digest }))
    const ownShare = releaseShare(call, row, body, { factor, signs: operation.hash })
    return { shares: [ownShare, ...sharesFromPeer], digest }
  },
})
