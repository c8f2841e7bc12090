/**
 * Sign In With Farcaster (FIP-11, https://github.com/farcasterxyz/protocol/discussions/110): an account's custody key
 * signs an EIP-4361 message, and the registry confirms that the key belongs to that account.
 */
import { createHash } from 'node:crypto'
import type { FarcasterProvider } from '@keybay/social/server'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { eip191Signer } from 'micro-eth-signer'
import * as v from 'valibot'
import { nothingCame, notVerified, sessionOver, unexpected } from './fault.js'
import type { Attempt, Learned } from './flow.js'
import { ask } from './http.js'
import type { ActiveProvider } from './registry.js'

const MAX_AGE_MS = 10 * 60_000
const TOLERANCE_MS = 60_000
const OPTIMISM = '10'

const channelSchema = v.object({ channelToken: v.pipe(v.string(), v.minLength(1)), url: v.pipe(v.string(), v.url()) })
const answerSchema = v.object({
  message: v.pipe(v.string(), v.maxLength(4096)),
  signature: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{130}$/i)),
  fid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  username: v.optional(v.string()),
  displayName: v.optional(v.string()),
  pfpUrl: v.optional(v.string()),
})

interface Page {
  readonly redirectUri: string
  readonly stateHash: string
}

/** Returns letters and digits only, and binds the signature to this flow. */
function deriveNonce({ stateHash }: Page): string {
  return createHash('sha256').update(stateHash).digest('hex')
}

/** @throws ApiError `signin_error`, `general_error` */
export async function openChannel(
  { client, internalUrl }: ActiveProvider,
  provider: FarcasterProvider,
  page: Page,
): Promise<{ readonly url: string; readonly token: string }> {
  const { json, status } = await ask(`${internalUrl(provider.relay)}/v1/channel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      siweUri: page.redirectUri,
      domain: client.id,
      nonce: deriveNonce(page),
      redirectUrl: `${page.redirectUri}?state=${page.stateHash}`,
    }),
  })
  const channel = v.safeParse(channelSchema, json)
  if (status >= 300 || !channel.success) throw unexpected('channel')
  return { url: channel.output.url, token: channel.output.channelToken }
}

/** Returns the signer's address (EIP-191), or undefined for a wrong signature. */
function recoverSigner(message: string, signature: string): string | undefined {
  try {
    return eip191Signer.recoverAddress(signature, message).toLowerCase()
  } catch {
    return undefined
  }
}

/** Reads the checked parts of an EIP-4361 message. */
function readParts(message: string) {
  const [first = '', address = ''] = message.split('\n')
  const value = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(message)?.[1]
  return {
    domain: / wants you to sign in with your Ethereum account:$/.test(first) ? first.split(' ')[0] : undefined,
    address: address.toLowerCase(),
    uri: value('URI'),
    chain: value('Chain ID'),
    nonce: value('Nonce'),
    issuedAt: Date.parse(value('Issued At') ?? ''),
    expiresAt: Date.parse(value('Expiration Time') ?? '9999-01-01'),
    fid: /^- farcaster:\/\/fid\/(\d+)$/m.exec(message)?.[1],
  }
}

/** Returns the account that the registry has for an address (`getId(address)`); 0 if there is none. */
async function registeredId(active: ActiveProvider, provider: FarcasterProvider, address: string): Promise<bigint> {
  const selector = bytesToHex(keccak_256(utf8ToBytes('getId(address)')).slice(0, 4))
  const data = `0x${selector}${address.slice(2).padStart(64, '0')}`
  const { rpc, address: to } = provider.registry
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] })
  // The operator's own node, if configured.
  const url = active.client.secret.startsWith('https:') ? active.client.secret : active.internalUrl(rpc)
  const { json } = await ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = v.safeParse(v.object({ result: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i)) }), json)
  if (!answer.success) throw unexpected('registry')
  return BigInt(answer.output.result)
}

/** @param channel the relay's token @throws ApiError `session_timeout`, `no_auth_code`, `verification_error`, … */
export async function proveFarcaster(attempt: Attempt, provider: FarcasterProvider, channel: string): Promise<Learned> {
  const { active, call, flow } = attempt
  const { status, json } = await ask(`${active.internalUrl(provider.relay)}/v1/channel/status`, {
    headers: { authorization: `Bearer ${channel}` },
  })
  if (status === 401) throw sessionOver(provider.id)
  if (status === 202) throw nothingCame(provider.id)
  const answer = v.safeParse(answerSchema, json)
  if (!answer.success) throw unexpected('channel')
  const { message, signature, fid, ...siwf } = answer.output
  const parts = readParts(message)
  const now = call.services.clock.now()
  if (parts.domain !== active.client.id || parts.uri !== flow.redirectUri) throw notVerified('domain')
  if (parts.nonce !== deriveNonce(flow)) throw notVerified('nonce')
  if (parts.chain !== OPTIMISM || parts.fid !== String(fid)) throw notVerified('fid')
  const age = now - parts.issuedAt
  if (!(age >= -TOLERANCE_MS && age <= MAX_AGE_MS && parts.expiresAt > now)) throw notVerified('time')
  const signer = recoverSigner(message, signature)
  if (signer === undefined || signer !== parts.address) throw notVerified('signature')
  if ((await registeredId(active, provider, signer)) !== BigInt(fid)) throw notVerified('custody')
  return { answers: { siwf: { ...siwf, fid } } }
}
