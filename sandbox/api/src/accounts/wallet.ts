/** Verifies ownership of a Solana address: a signed SIWS message, or a signed transaction that can never run. */
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { createSignInMessageText, parseSignInMessageText } from '@solana/wallet-standard-util'
import bs58 from 'bs58'
import * as v from 'valibot'
import type { Call } from '../http/call.js'
import { ApiError, invalidMessage, invalidNonce, invalidSignature, methodNotEnabled } from '../http/errors.js'
import { base64, walletLabel } from '../http/fields.js'
import { consume } from './ceremonies.js'
import type { ProvedCredential } from './credentials.js'

export const NONCE_LIFETIME = 10 * 60_000
/** Maximum difference between the message's time and ours, in ms; the nonce is what limits the message's life. */
const CLOCK_TOLERANCE = 24 * 60 * 60_000
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

const shared = {
  address: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
  nonceId: v.pipe(v.string(), v.uuid()),
  walletName: v.optional(walletLabel),
}
export const walletProofSchema = v.variant('type', [
  v.strictObject({
    ...shared,
    type: v.pipe(v.literal('message'), v.description('of solana:signIn or solana:signMessage')),
    message: v.pipe(base64(4096), v.description('the bytes that were signed')),
    signature: base64(88),
  }),
  v.strictObject({
    ...shared,
    type: v.pipe(
      v.literal('transaction'),
      v.description('for wallets that sign no messages, where the environment enables it'),
    ),
    message: v.pipe(base64(4096), v.description('the SIWS text inside the memo')),
    transaction: v.pipe(base64(1644), v.description('the signed transaction')),
  }),
])
export type WalletProof = v.InferOutput<typeof walletProofSchema>

function refuse(reason: string): ApiError {
  return new ApiError(invalidMessage, { reason })
}

/** Uses up the nonce. @throws ApiError `method_not_enabled`, `invalid_message`, `invalid_nonce`, `invalid_signature` */
export async function proveWallet(call: Call, proof: WalletProof, thumbprint: string): Promise<ProvedCredential> {
  const { address, nonceId } = proof
  if (proof.type === 'transaction' && !call.environment.signIn.walletTransaction)
    throw new ApiError(methodNotEnabled, { reason: 'transaction' })
  const bytes = Buffer.from(proof.message, 'base64')
  const { nonce, domain } = checkMessage(call, bytes, address)
  const publicKey = readPublicKey(address)
  const signed =
    proof.type === 'message'
      ? { message: bytes, signature: Buffer.from(proof.signature, 'base64') }
      : readTransaction(Buffer.from(proof.transaction, 'base64'), neverSent(publicKey, bytes, domain, nonce))
  // Strict (RFC 8032): under the lax rules of consensus, some keys verify everything.
  const valid =
    signed.signature.length === 64 && ed25519.verify(signed.signature, signed.message, publicKey, { zip215: false })
  if (!valid) throw new ApiError(invalidSignature)
  const ceremony = await consume(call, { id: nonceId, kind: 'nonce', thumbprint })
  if (!ceremony || ceremony.data.nonce !== nonce) throw new ApiError(invalidNonce)
  return { method: 'blockchain', provider: 'SOL', subject: address, name: proof.walletName }
}

function readPublicKey(address: string): Uint8Array {
  const bytes = bs58.decode(address)
  if (bytes.length !== 32) throw refuse('address')
  return bytes
}

/** Checks every field by which a message could be meant for another recipient. */
function checkMessage(call: Call, bytes: Buffer, address: string): { nonce: string; domain: string } {
  const { environment, services, origin } = call
  const text = bytes.toString('utf8')
  const fields = parseSignInMessageText(text)
  // Rebuilding the message must give the same bytes; otherwise the text has more than one reading.
  if (!fields || !Buffer.from(createSignInMessageText(fields)).equals(bytes)) throw refuse('form')
  // A single line, as in EIP-4361; a longer statement can imitate the fields that follow.
  if (fields.statement?.includes('\n')) throw refuse('form')
  const { domain, nonce, uri, chainId, expirationTime, notBefore, issuedAt } = fields
  if (fields.address !== address) throw refuse('address')
  if (!environment.domains.has(domain)) throw refuse('domain')
  // The calling page must be the page that the wallet showed to the user.
  if (origin !== undefined && new URL(origin).host !== domain) throw refuse('domain')
  if (uri !== undefined && !(URL.canParse(uri) && environment.pageOrigins.has(new URL(uri).origin))) throw refuse('uri')
  if (fields.version !== undefined && fields.version !== '1') throw refuse('version')
  if (chainId !== undefined && !/^(solana:)?(mainnet|mainnet-beta|testnet|devnet|localnet)$/.test(chainId))
    throw refuse('chainId')
  if (nonce === undefined) throw refuse('nonce')
  const now = services.clock.now()
  const at = (time: string, field: string): number => {
    const ms = Date.parse(time)
    if (Number.isNaN(ms)) throw refuse(field)
    return ms
  }
  if (issuedAt !== undefined && Math.abs(at(issuedAt, 'issuedAt') - now) > CLOCK_TOLERANCE) throw refuse('issuedAt')
  if (expirationTime !== undefined && at(expirationTime, 'expirationTime') <= now) throw refuse('expirationTime')
  if (notBefore !== undefined && at(notBefore, 'notBefore') > now) throw refuse('notBefore')
  return { nonce, domain }
}

/** Encodes a number as Solana's compact-u16. */
function compact(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >> 7)]
}

/**
 * Builds the only transaction that proves the address: a legacy message with the user as fee payer, one memo without
 * accounts, and one of our hashes as blockhash, so that no chain ever accepts it.
 */
function neverSent(user: Uint8Array, text: Uint8Array, domain: string, nonce: string): Buffer {
  return Buffer.concat([
    // One writable signer, no other signer, one read-only account: the program.
    Buffer.from([1, 0, 1, 2]),
    user,
    bs58.decode(MEMO_PROGRAM),
    createHash('sha256').update(domain).update(nonce).digest(),
    // One instruction: program 1, no accounts, the text as data.
    Buffer.from([1, 1, 0, ...compact(text.length)]),
    text,
  ])
}

function readTransaction(transaction: Buffer, expected: Buffer): { message: Buffer; signature: Buffer } {
  const message = transaction.subarray(65)
  // Compare byte for byte: a wallet that added an instruction signed something else.
  if (transaction[0] !== 1 || !message.equals(expected)) throw refuse('transaction')
  return { message: expected, signature: transaction.subarray(1, 65) }
}
