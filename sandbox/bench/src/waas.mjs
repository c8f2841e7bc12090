/**
 * Measures embedded wallets: the port between page and frame, the cost of a signature, and the relay's rate per second.
 */
import { nobleCoSigner } from '@keybay/waas/mpc'
import { measureFirstSignature } from './first-signature.mjs'
import { measureMessages } from './messages.mjs'
import { measureSigning, plainFrostMs } from './signing.mjs'
import { highest } from './stats.mjs'

/**
 * @typedef {object} RelayFigures Signatures per second of processor time.
 * @property {number | undefined} libsodium
 * @property {number | undefined} noble
 * @property {number | undefined} plainMs Plain `ed25519_FROST`, 2 of 2, before and after.
 * @property {number | undefined} service With every check and its database, as a process of its own.
 *
 * @typedef {object} WaasFigures What failed is undefined.
 * @property {import('./messages.mjs').MessageFigures | undefined} messages
 * @property {ReturnType<typeof measureSigning>} signing
 * @property {RelayFigures | undefined} relay
 * @property {import('./first-signature.mjs').FirstSignature | undefined} first
 */

const REPEATS = 3
/** Number of frame loads; each signs once. */
const LOADS = 5

/** @param {number} rounds @returns {Promise<RelayFigures>} */
async function measureRelay(rounds) {
  const { bareRate, serviceRate } = await import('@keybay/sandbox-relay/bench')
  const { sodiumCoSigner } = await import('@keybay/sandbox-relay/cosign')
  for (const coSigner of [nobleCoSigner, sodiumCoSigner]) bareRate(coSigner, 200)
  // The best result: other work on the machine can only lower it.
  const best = (/** @type {typeof nobleCoSigner} */ coSigner, /** @type {number} */ count) =>
    highest(Array.from({ length: REPEATS }, () => bareRate(coSigner, count)))
  const before = plainFrostMs()
  const figures = { noble: best(nobleCoSigner, 200), libsodium: best(sodiumCoSigner, rounds) }
  // The measurement bounds its own waits and leaves no process behind.
  const service = await serviceRate(rounds).catch(error => {
    console.error(error)
    return undefined
  })
  // Best of two here too, because other work uses the machine at the same time.
  return { ...figures, service, plainMs: Math.min(before, plainFrostMs()) }
}

/**
 * @param {{ turns: number, rounds: number }} options `turns` of messages and signatures, `rounds` of the relay
 * @returns {Promise<WaasFigures>}
 */
export async function measureWaas({ turns, rounds }) {
  const failed = (/** @type {unknown} */ error) => {
    console.error(error)
    return undefined
  }
  return {
    messages: await measureMessages(turns).catch(failed),
    signing: measureSigning(turns),
    relay: await measureRelay(rounds).catch(failed),
    first: await measureFirstSignature(LOADS).catch(failed),
  }
}
