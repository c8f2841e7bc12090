/**
 * Implements Sign In With Farcaster (FIP-11, https://github.com/farcasterxyz/protocol/discussions/110): a relay with
 * channels, the app in which users sign with their custody key, and the registry of key owners.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hono } from 'hono'
import { addr, eip191Signer } from 'micro-eth-signer'
import * as v from 'valibot'
import { isRegistered } from '../clients.js'
import { getPage, mountChooser } from '../pages/chooser.js'
import { errorPage } from '../pages/layout.js'
import { randomId } from '../records.js'
import type { Services } from '../services.js'
import { fullName, USERS, type User } from '../users.js'

const PROVIDER = { id: 'farcaster', name: 'Farcaster' } as const
const CHANNEL_SECONDS = 3600
/** Selector of `getId(address)` in the IdRegistry. */
const ID_OF = bytesToHex(keccak_256(utf8ToBytes('getId(address)')).slice(0, 4))

const channelSchema = v.object({
  siweUri: v.pipe(v.string(), v.url()),
  domain: v.pipe(v.string(), v.minLength(1)),
  nonce: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{8,}$/))),
  notBefore: v.optional(v.string()),
  expirationTime: v.optional(v.string()),
  requestId: v.optional(v.string()),
  redirectUrl: v.optional(v.string()),
})

function custodyKey({ keys }: Services, { key }: User): Uint8Array {
  return keys.derive(`farcaster ${key}`)
}

type Channel = v.InferOutput<typeof channelSchema>

/** Builds the EIP-4361 message with the resources of FIP-11. */
function getMessage(services: Services, channel: Channel, user: User, nonce: string, address: string): string {
  const { skew = 0 } = services.faults.of(PROVIDER.id)
  const lines = [
    `${channel.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Farcaster Auth',
    '',
    `URI: ${channel.siweUri}`,
    'Version: 1',
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(services.clock.now() + skew * 1000).toISOString()}`,
    ...(channel.expirationTime === undefined ? [] : [`Expiration Time: ${channel.expirationTime}`]),
    ...(channel.notBefore === undefined ? [] : [`Not Before: ${channel.notBefore}`]),
    ...(channel.requestId === undefined ? [] : [`Request ID: ${channel.requestId}`]),
    'Resources:',
    `- farcaster://fid/${user.number}`,
  ]
  return lines.join('\n')
}

function completed(services: Services, channel: Channel, user: User, nonce: string) {
  const secret = custodyKey(services, user)
  const message = getMessage(services, channel, user, nonce, addr.fromPrivateKey(secret))
  const { idToken } = services.faults.of(PROVIDER.id)
  const signing = idToken === 'signature' ? services.keys.derive('farcaster another') : secret
  return {
    state: 'completed',
    nonce,
    message,
    signature: eip191Signer.sign(message, signing),
    authMethod: 'custody',
    fid: user.number,
    username: user.username,
    ...(fullName(user) !== undefined && { displayName: fullName(user) }),
    ...(user.picture !== undefined && { pfpUrl: user.picture }),
    custody: addr.fromPrivateKey(secret),
    verifications: [],
  }
}

export function mountFarcaster(app: Hono, services: Services): void {
  const { records } = services
  const show = mountChooser(app, services, PROVIDER, async (user, { token: channelToken }) => {
    const token = String(channelToken)
    const stored = await records.get('farcaster/channel', token)
    const channel = v.parse(channelSchema, stored?.channel)
    const nonce = String(stored?.nonce)
    const empty = services.faults.of(PROVIDER.id).returns === 'no_code'
    if (user && !empty)
      await records.put(
        'farcaster/channel',
        { ...stored, answer: completed(services, channel, user, nonce) },
        CHANNEL_SECONDS,
        token,
      )
    const url = new URL(channel.redirectUrl ?? channel.siweUri)
    if (!user) url.searchParams.set('error', 'access_denied')
    return url.href
  })
  app.post('/farcaster/v1/channel', async c => {
    const parsed = v.safeParse(channelSchema, await c.req.json().catch(() => undefined))
    if (!parsed.success) return c.json({ error: 'Validation error', message: parsed.issues[0].message }, 400)
    const { nonce = randomId().replace(/[^A-Za-z0-9]/g, '') } = parsed.output
    const token = await records.put('farcaster/channel', { channel: parsed.output, nonce }, CHANNEL_SECONDS)
    const url = `${services.publicUrl}/farcaster/~/siwf?channelToken=${token}`
    return c.json({ channelToken: token, url, connectUri: url, nonce }, 201)
  })
  app.get('/farcaster/v1/channel/status', async c => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    const stored = await records.get('farcaster/channel', token)
    if (!stored) return c.json({ error: 'Unauthorized', message: 'Channel expired' }, 401)
    return stored.answer === undefined ? c.json({ state: 'pending', nonce: stored.nonce }, 202) : c.json(stored.answer)
  })
  app.get('/farcaster/~/siwf', async c => {
    const token = c.req.query('channelToken') ?? ''
    const stored = await records.get('farcaster/channel', token)
    const channel = v.safeParse(channelSchema, stored?.channel)
    if (!channel.success) return errorPage('Farcaster', 'unknown_channel', 'This channel is unknown or too old.')
    const back = channel.output.redirectUrl
    if (back !== undefined && !isRegistered(PROVIDER.id, getPage(back), services.redirectUris))
      return errorPage('Farcaster', 'invalid_redirect', 'redirectUrl is not a page of this app.')
    return show({ token })
  })
  // Answers like a node of Optimism, for calls of the registry only.
  app.post('/farcaster', async c => {
    const request = v.safeParse(
      v.object({
        id: v.unknown(),
        method: v.string(),
        params: v.tuple([v.object({ to: v.string(), data: v.string() }), v.string()]),
      }),
      await c.req.json().catch(() => undefined),
    )
    if (!request.success || request.output.method !== 'eth_call')
      return c.json({ jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'Only eth_call is here' } })
    const { id, params } = request.output
    const { data } = params[0]
    const owner = USERS.find(
      user =>
        data.toLowerCase() ===
        `0x${ID_OF}${addr.fromPrivateKey(custodyKey(services, user)).slice(2).toLowerCase().padStart(64, '0')}`,
    )
    return c.json({ jsonrpc: '2.0', id, result: `0x${(owner?.number ?? 0).toString(16).padStart(64, '0')}` })
  })
}
