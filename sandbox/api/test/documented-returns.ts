/** Builds the parameters with which a user returns from a provider, signed where the documentation says so. */
import { createHash, createHmac } from 'node:crypto'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import type { Documented } from '@keybay/sandbox-identity/testing/documented'
import { addr, eip191Signer } from 'micro-eth-signer'
import { moved } from './documented-providers.js'
import type { Attempt } from './social-world.js'

type Params = Readonly<Record<string, string>>

function digest(algorithm: { readonly key: string | Buffer }, text: string): string {
  return createHmac('sha256', algorithm.key).update(text).digest('hex')
}

function toLines(fields: Params, separator: string): string {
  return Object.keys(fields)
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join(separator)
}

/** https://core.telegram.org/widgets/login#checking-authorization */
function signTelegram(fields: Params, seconds: number): Params {
  const all = { ...fields, auth_date: String(seconds) }
  const key = createHash('sha256').update(sandboxClient('telegram').secret).digest()
  const result = { ...all, hash: digest({ key }, toLines(all, '\n')) }
  return { tgAuthResult: Buffer.from(JSON.stringify(result)).toString('base64url') }
}

function signShopify(fields: Params, seconds: number): Params {
  const shop = 'acme.myshopify.com'
  const all = { ...fields, shop, host: Buffer.from(`${shop}/admin`).toString('base64'), timestamp: String(seconds) }
  return { ...all, hmac: digest({ key: sandboxClient('shopify').secret }, toLines(all, '&')) }
}

function fillSteam(fields: Params, returnTo: string, now: number): Params {
  const urls = Object.entries(fields).map(([name, value]) => [
    name,
    value.includes('steamcommunity') ? moved('steam', value) : value,
  ])
  const nonce = `${new Date(now).toISOString().slice(0, 19)}Z${crypto.randomUUID()}`
  return { ...Object.fromEntries(urls), 'openid.return_to': returnTo, 'openid.response_nonce': nonce }
}

/** @param page page of the app that the provider redirects to @param now in ms since epoch */
export function getReturned(
  { id, returned = {} }: Documented,
  { stateHash }: Attempt,
  page: string,
  now: number,
): Params {
  const seconds = Math.floor(now / 1000)
  const state = { state: stateHash }
  switch (id) {
    case 'steam':
      return { ...state, ...fillSteam(returned, `${page}?state=${stateHash}`, now) }
    case 'telegram':
      return { ...state, ...signTelegram(returned, seconds) }
    case 'shopify':
      return signShopify({ code: 'c', ...state, ...returned }, seconds)
    case 'farcaster':
      return state
    default:
      return { code: 'c', ...state, ...returned }
  }
}

const KEY = Buffer.alloc(32, 7)

/** Fields of a completed channel that depend on the flow (FIP-11): the message and its signature by the custody key. */
export function signFarcaster(fid: string, { stateHash }: Attempt, page: string, now: number): object {
  const custody = addr.fromPrivateKey(KEY)
  const nonce = createHash('sha256').update(stateHash).digest('hex')
  const message = [
    `${sandboxClient('farcaster').id} wants you to sign in with your Ethereum account:`,
    custody,
    '',
    'Farcaster Auth',
    '',
    `URI: ${page}`,
    'Version: 1',
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(now).toISOString()}`,
    'Resources:',
    `- farcaster://fid/${fid}`,
  ].join('\n')
  return { nonce, message, signature: eip191Signer.sign(message, KEY), custody }
}
