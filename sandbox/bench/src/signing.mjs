/**
 * Measures the processor time of one signature, both parties together: the frame signs with noble and the relay with
 * libsodium, each message passes through the wire codec, and every check runs. Takes turns with plain `ed25519_FROST`
 * of the same threshold.
 */
import { randomBytes } from 'node:crypto'
import { sodiumCoSigner } from '@keybay/sandbox-relay/cosign'
import {
  acceptDeal,
  anyPoint,
  codecs,
  createFrameSigner,
  dealImported,
  decode,
  encode,
  SCHEMES,
} from '@keybay/waas/mpc'
import { ed25519_FROST as frost } from '@noble/curves/ed25519.js'
import { median } from './stats.mjs'

/** @typedef {'TWO_OF_TWO' | 'TWO_OF_THREE'} Scheme */

/**
 * @typedef {object} SigningFigures Medians.
 * @property {number | undefined} oursMs
 * @property {number | undefined} plainMs
 * @property {number | undefined} faster In times, each turn on its own.
 */

/** Length of a legacy transaction with one transfer. */
const MESSAGE_BYTES = 215

function bytes(/** @type {number} */ length) {
  return new Uint8Array(randomBytes(length))
}

/** @template T @param {T | undefined} value @returns {T} */
function there(value) {
  if (value === undefined) throw new Error('nothing there')
  return value
}

/** @param {Scheme} scheme @returns {(message: Uint8Array) => Uint8Array} and it throws when a signature does not verify */
function ours(scheme) {
  const plan = {
    ceremonyId: 'bench',
    walletId: 'bench',
    setId: 'bench',
    epoch: 0,
    curve: /** @type {const} */ ('ed25519'),
  }
  const whole = { ...plan, ...SCHEMES[scheme] }
  const deal = dealImported(whole, bytes(32))
  const getShare = (/** @type {'C' | 'R1'} */ party) =>
    acceptDeal(whole, party, deal, there(deal.subShares.find(({ to }) => to === party))).share
  const [signer, share] = [createFrameSigner(getShare('C'), ['R1']), getShare('R1')]
  return message => {
    const attempt = signer.begin(message)
    const sent = encode(codecs.signCommitment, attempt.commitment)
    const received = [decode(codecs.signCommitment, sent, anyPoint)]
    const signing = sodiumCoSigner.begin({ share, request: bytes(32), message, received })
    const answer = encode(codecs.signAnswer, signing.sign([...received, signing.commitment]))
    return attempt.finish([decode(codecs.signAnswer, answer, anyPoint)])
  }
}

/** @param {Scheme} scheme @returns {(message: Uint8Array) => Uint8Array} */
function plain(scheme) {
  const { threshold, parties } = SCHEMES[scheme]
  const dealt = frost.trustedDealer({ min: threshold, max: parties.length })
  const secrets = Object.values(dealt.secretShares).slice(0, threshold)
  return message => {
    const made = secrets.map(secret => ({ secret, ...frost.commit(secret) }))
    const commitments = made.map(signer => signer.commitments)
    const shares = Object.fromEntries(
      made.map(({ secret, nonces }) => [
        secret.identifier,
        frost.signShare(secret, dealt.public, nonces, commitments, message),
      ]),
    )
    return frost.aggregate(dealt.public, commitments, message, shares)
  }
}

/** @param {(message: Uint8Array) => Uint8Array} sign @param {number} times @returns ms of processor time per signature */
function getTime(sign, times) {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) sign(bytes(MESSAGE_BYTES))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

/** Measures plain `ed25519_FROST`, 2 of 2: the current speed of this machine. @returns {number} ms */
export function plainFrostMs() {
  const library = plain('TWO_OF_TWO')
  getTime(library, 10)
  return Math.min(...Array.from({ length: 3 }, () => getTime(library, 10)))
}

/** @param {Scheme} scheme @param {number} turns @returns {SigningFigures} */
function measureScheme(scheme, turns) {
  const [kit, library] = [ours(scheme), plain(scheme)]
  getTime(kit, 100)
  getTime(library, 20)
  const times = Array.from({ length: turns }, () => ({ ours: getTime(kit, 20), plain: getTime(library, 5) }))
  return {
    oursMs: median(times.map(time => time.ours)),
    plainMs: median(times.map(time => time.plain)),
    faster: median(times.map(time => time.plain / time.ours)),
  }
}

/** @param {number} turns @returns {Readonly<Record<Scheme, SigningFigures>>} */
export function measureSigning(turns) {
  return { TWO_OF_TWO: measureScheme('TWO_OF_TWO', turns), TWO_OF_THREE: measureScheme('TWO_OF_THREE', turns) }
}
