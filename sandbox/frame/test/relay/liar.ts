/** Makes R1 lie with its own record key, so that the frame believes what it should not. */
import { getStatus, type RelayErrorCode } from '@keybay/sandbox-relay/testing/error-list'
import { b64, jws, unb64 } from '@keybay/sandbox-relay/testing/frame/index'
import type { RelayKeys } from '@keybay/sandbox-relay/testing/relay-keys'
import { codecs, decode, encode } from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Device, Intercept } from './device.js'

interface Claims {
  readonly wallet: string
  readonly address: string
  readonly set: string
  readonly kind: string
  readonly epoch: number
  readonly status: string
  readonly pub: string
  /** Hash of the set's policy. */
  readonly policy: string
  /** Number of the record in the history of its wallet, and hash of the one before. */
  readonly gen: number
  readonly prev: string
}
interface ListedSet extends Partial<Pick<Claims, 'kind' | 'epoch' | 'status'>> {
  readonly setId: string
  readonly record: string
}
export interface ListedWallet {
  readonly walletId: string
  readonly address: string
  readonly sets: readonly ListedSet[]
}
function getClaims(record: string): Claims {
  return JSON.parse(Buffer.from(record.split('.')[1] ?? '', 'base64url').toString())
}

/** @returns a function that makes the same set with other claims, signed by R1 */
export function createForger({ recordKey, kid }: Pick<RelayKeys, 'recordKey' | 'kid'>) {
  return (set: ListedSet, changes: (claims: Claims) => Partial<Claims>): ListedSet => {
    const claims = getClaims(set.record)
    const { kind, epoch, status, ...said } = { ...claims, ...changes(claims) }
    const record = jws(recordKey, 'keybay-record+jwt', { ...said, kind, epoch, status }, { kid })
    return { ...set, kind, epoch, status, setId: said.set, record }
  }
}

/** Returns another dealing of the same key, at the given epoch. No party holds a share of it. */
export function otherPackage(pub: string, epoch: number): string {
  const set = decode(codecs.shareSet, unb64(pub))
  const [key = new Uint8Array()] = set.commitments
  const others = set.commitments.slice(1).map(() => ed25519.Point.BASE.toBytes())
  return b64(encode(codecs.shareSet, { ...set, epoch, commitments: [key, ...others] }))
}

function answer(body: object, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

/** Answers with an error, instead of doing the step or after it. */
export function refusing(step: string, code: RelayErrorCode, moment: 'before' | 'after'): Intercept {
  return (path, send) => {
    if (!path.endsWith(step)) return undefined
    const refused = () => answer({ code, message: 'No.', details: { epoch: 7 } }, getStatus(code))
    return moment === 'before' ? Promise.resolve(refused()) : send().then(refused)
  }
}

/** Changes each wallet in every list and state that the relay answers. */
export function lyingAbout(change: (wallet: ListedWallet) => ListedWallet): Intercept {
  return (path, send) => {
    if (!/\/(list|state)$/.test(path)) return undefined
    return send().then(async response => {
      const { wallets, wallet } = await response.json()
      return answer(wallets ? { wallets: wallets.map(change) } : { wallet: change(wallet) })
    })
  }
}

export async function withLie<T>(device: Device, lie: Intercept | undefined, act: () => Promise<T>): Promise<T> {
  device.intercept = lie
  try {
    return await act()
  } finally {
    device.intercept = undefined
  }
}
