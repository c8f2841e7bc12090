/** Co-signatures by the whole service, with all checks and its database. */
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
import { creationContext } from '../ceremonies/proofs.js'
import { getThumbprint, sha256 } from '../crypto/jwk.js'
import { toText } from '../http/fields.js'
import { type Policy, policyText } from '../policy/index.js'
import { SYSTEM } from '../policy/programs.js'
import { newKey, type RelayProcess, startRelayProcess, toJwk } from './relay-process.js'
import { makeRequest, type Operation, operationHash, type Request, send } from './requests.js'
import { newWallet, transfer } from './wallet.js'

/** Number of wallets; each has one request at a time. */
const WALLETS = 8
/**
 * Number of signatures before a measurement, until the JIT has compiled the database and the checks: until the
 * thousandth, one costs about twice as much processor time as after these.
 */
const WARM_UP = 3_000
const CHUNK = 1_000
/** Number of requests that a wallet signs before it sends them: on a busy machine, more would be too old when sent. */
const IN_ADVANCE = 25
/** Time to wait for the responses of one load, in ms. */
const TIMEOUT_MS = 300_000

/** Lets the wallet sign transfers unasked, so that the measure includes the policy and its count. */
const GRANT: Policy = {
  dailyLimit: '1000000000000000000',
  programs: [{ programId: SYSTEM, instructions: ['02000000'] }],
  messages: false,
  otherwise: 'ask',
}
const partySchema = v.object({ sealingKey: v.string() })
const importedSchema = v.object({ wallet: v.object({ address: v.string() }) })

/** Creates a wallet at the relay and returns a function that makes its next request. */
async function register(relay: RelayProcess, sealingKey: Uint8Array) {
  const device = newKey()
  const { plan, deal, getShare } = newWallet()
  const { walletId, setId, ceremonyId } = plan
  const request = (path: string, content: object, operation: Operation) =>
    makeRequest(relay, { walletId, setId, device }, path, content, operation)
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
  const made = request('/wallets/import', imported, { op, hash: operationHash(op, 'SOL', 'TWO_OF_TWO') })
  const { address } = v.parse(importedSchema, await send(made)).wallet
  const granted = { op: 'setPolicy', hash: operationHash('setPolicy', setId, policyText(GRANT)), wallet: address }
  await send(request(`/wallets/${walletId}/sets/${setId}/policy`, { policy: GRANT }, granted))
  const frame = createFrameSigner(getShare('C'), ['R1'])
  const publicKey = deal.set.commitments[0] ?? new Uint8Array(32)
  return (): Request => {
    const message = transfer(publicKey)
    const commitment = toText(encode(codecs.signCommitment, frame.begin(message).commitment))
    const content = { setId, kind: 'transaction', message: toText(message), commitment }
    const signers: Operation['signers'] = ['C', 'R1']
    const operation = { op: 'signTransaction', hash: sha256(message), wallet: address, signers }
    return request(`/wallets/${walletId}/sign`, content, operation)
  }
}

/** Signs a number of times with all wallets at once. */
type Sign = (count: number) => Promise<{
  /** Signatures per second of the relay's processor time. */
  readonly rate: number
  /** Duration of each request, in ms. */
  readonly times: readonly number[]
}>

/**
 * Starts a relay with wallets, signs until it is warm, and stops it after the work. Linux only.
 * @param databaseUrl PostgreSQL; default: PGlite, whose work is the relay's own
 * @throws Error when the relay does not start, respond or stop in time
 */
export async function withSigners<T>(
  databaseUrl: string | undefined,
  work: (sign: Sign) => Promise<T>,
  warmUp = WARM_UP,
): Promise<T> {
  const relay = await startRelayProcess(databaseUrl)
  try {
    const { sealingKey } = v.parse(partySchema, await send({ url: `${relay.base}/party`, init: {} }))
    const key = Buffer.from(sealingKey, 'base64url')
    const wallets = await Promise.all(Array.from({ length: WALLETS }, () => register(relay, key)))
    const sign: Sign = async count => {
      const times: number[] = []
      let used = 0
      for (let left = Math.ceil(count / WALLETS); left > 0; left -= IN_ADVANCE) {
        // Signed in advance: the frame's work must not count.
        const requests = wallets.map(next => Array.from({ length: Math.min(left, IN_ADVANCE) }, next))
        const before = relay.processorTime()
        times.push(...(await Promise.all(requests.map(sendInTurn))).flat())
        used += relay.processorTime() - before
      }
      return { rate: times.length / used, times }
    }
    for (let left = warmUp; left > 0; left -= CHUNK) await sign(CHUNK)
    return await work(sign)
  } finally {
    await relay.stop()
  }
}

/** @returns the duration of each request, in ms @throws Error when they take too long */
async function sendInTurn(requests: readonly Request[]): Promise<readonly number[]> {
  const deadline = performance.now() + TIMEOUT_MS
  const times: number[] = []
  for (const request of requests) {
    const started = performance.now()
    if (started > deadline) throw new Error(`The relay took longer than ${TIMEOUT_MS / 1000} s`)
    await send(request)
    times.push(performance.now() - started)
  }
  return times
}

/**
 * Measures signatures per CPU second of the whole warm service, its database included: the
 * best run, since other load can only lower the rate. A short measurement warms up for a shorter time too. Linux only.
 *
 * @throws Error when the relay does not start, respond or stop in time
 */
export function serviceRate(rounds: number, databaseUrl?: string): Promise<number> {
  const measure = async (sign: Sign) => {
    let best = 0
    for (let left = rounds; left > 0; left -= CHUNK) best = Math.max(best, (await sign(Math.min(left, CHUNK))).rate)
    return best
  }
  return withSigners(databaseUrl, measure, Math.min(WARM_UP, 2 * rounds))
}
