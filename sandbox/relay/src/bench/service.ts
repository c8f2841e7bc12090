/** Co-signatures by the whole service, with all checks and its database. */
import { randomUUID } from 'node:crypto'
import {
  codecs,
  createFrameSigner,
  dealTranscript,
  encode,
  proveShare,
  sealContext,
  sealPrivate,
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { signJws } from '../authority/jws.js'
import { creationContext } from '../ceremonies/proofs.js'
import { getThumbprint, sha256 } from '../crypto/jwk.js'
import { toText } from '../http/fields.js'
import { type Policy, policyText } from '../policy/index.js'
import { SYSTEM } from '../policy/programs.js'
import { newKey, type RelayProcess, startRelayProcess, toJwk } from './relay-process.js'
import { newWallet, transfer } from './wallet.js'

/** Number of wallets; each has one request at a time. */
const WALLETS = 8
/**
 * Number of signatures before any measurement, however short, until the JIT has compiled the database and the checks:
 * until the thousandth, one costs about twice as much processor time as after these.
 */
const WARM_UP = 3_000
const CHUNK = 1_000
/** Time to wait for one response, and for all of them, in ms. */
const TIMEOUT_MS = 30_000
const TOTAL_TIMEOUT_MS = 300_000

interface Request {
  readonly url: string
  readonly init: RequestInit
}

/** Lets the wallet sign transfers unasked, so that the measure includes the policy and its count. */
const GRANT: Policy = {
  dailyLimit: '1000000000000000000',
  programs: [{ programId: SYSTEM, instructions: ['02000000'] }],
  messages: false,
  otherwise: 'ask',
}
const partySchema = v.object({ sealingKey: v.string() })
const importedSchema = v.object({ wallet: v.object({ address: v.string() }) })

/** @throws Error when the relay refuses or does not respond */
async function send({ url, init }: Request): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`The relay answered ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Creates a wallet at the relay and returns a function that makes its next request. */
async function register({ base, token, sessionKey }: RelayProcess, sealingKey: Uint8Array) {
  const device = newKey()
  const { plan, deal, getShare } = newWallet()
  const { walletId, setId, ceremonyId } = plan
  const request = (
    path: string,
    content: object,
    operation: { readonly op: string; readonly hash: string; readonly wallet?: string },
    signers: readonly string[],
  ): Request => {
    const body = JSON.stringify(content)
    const iat = Math.floor(Date.now() / 1000)
    const { op, hash } = operation
    const session = { sid: 'session', origin: 'http://app.localhost:4000', iat, jti: randomUUID(), ...operation }
    const ids = { aud: ['R1'], env: 'local', sub: 'bench', wallet: walletId, set: setId, epoch: 0 }
    // The user agrees to the grant, and signs under it unasked.
    const consent = op === 'setPolicy'
    const claims = { ...ids, op, hash, signers, bh: sha256(body), iat, jti: randomUUID(), consent }
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-keybay-session': signJws({ typ: 'keybay-session+jwt' }, session, sessionKey),
      'x-keybay-device': signJws({ typ: 'keybay-device+jwt' }, claims, device),
    }
    return { url: base + path, init: { method: 'POST', headers, body } }
  }
  const subShares = deal.subShares
    .filter(({ to }) => to === 'R1')
    .map(subShare => {
      const { from, to } = subShare
      const box = sealPrivate(sealingKey, sealContext(plan, from, to), encode(codecs.subShare, subShare))
      return { from, to, box: toText(box) }
    })
  const transcript = toText(dealTranscript(deal))
  const deviceKey = toJwk(device)
  const context = creationContext(ceremonyId, transcript, getThumbprint(deviceKey))
  const imported = {
    ceremonyId,
    walletId,
    setId,
    chainName: 'SOL',
    scheme: 'TWO_OF_TWO',
    deviceKey,
    package: toText(encode(codecs.dealPackage, deal)),
    subShares,
    transcript,
    proofs: [toText(proveShare(getShare('C'), context))],
  }
  const op = 'importPrivateKey'
  const made = request('/wallets/import', imported, { op, hash: sha256(JSON.stringify([op, 'SOL', 'TWO_OF_TWO'])) }, [])
  const { address } = v.parse(importedSchema, await send(made)).wallet
  const hash = sha256(JSON.stringify(['setPolicy', setId, policyText(GRANT)]))
  await send(
    request(
      `/wallets/${walletId}/sets/${setId}/policy`,
      { policy: GRANT },
      { op: 'setPolicy', hash, wallet: address },
      [],
    ),
  )
  const frame = createFrameSigner(getShare('C'), ['R1'])
  const publicKey = deal.set.commitments[0] ?? new Uint8Array(32)
  return (): Request => {
    const message = transfer(publicKey)
    const commitment = toText(encode(codecs.signCommitment, frame.begin(message).commitment))
    const content = { setId, kind: 'transaction', message: toText(message), commitment }
    const operation = { op: 'signTransaction', hash: sha256(message), wallet: address }
    return request(`/wallets/${walletId}/sign`, content, operation, ['C', 'R1'])
  }
}

/**
 * Measures signatures per CPU second of the whole warm service: the
 * best run, since other load can only lower the rate. Linux only.
 *
 * @throws Error when the relay does not start, respond or stop in time
 */
export async function serviceRate(rounds: number): Promise<number> {
  const relay = await startRelayProcess()
  const deadline = Date.now() + TOTAL_TIMEOUT_MS
  try {
    const { sealingKey } = v.parse(partySchema, await send({ url: `${relay.base}/party`, init: {} }))
    const key = Buffer.from(sealingKey, 'base64url')
    const wallets = await Promise.all(Array.from({ length: WALLETS }, () => register(relay, key)))
    const run = async (count: number): Promise<number> => {
      const each = Math.ceil(count / WALLETS)
      // Signed in advance: the frame's work must not count.
      const requests = wallets.map(next => Array.from({ length: each }, next))
      const before = relay.processorTime()
      await Promise.all(
        requests.map(async walletRequests => {
          for (const request of walletRequests) {
            if (Date.now() > deadline) throw new Error(`The relay took longer than ${TOTAL_TIMEOUT_MS / 1000} s`)
            await send(request)
          }
        }),
      )
      return (each * WALLETS) / (relay.processorTime() - before)
    }
    for (let left = WARM_UP; left > 0; left -= CHUNK) await run(CHUNK)
    let best = 0
    for (let left = rounds; left > 0; left -= CHUNK) best = Math.max(best, await run(Math.min(left, CHUNK)))
    return best
  } finally {
    await relay.stop()
  }
}
