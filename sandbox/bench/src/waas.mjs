/**
 * Measures embedded wallets: the port between page and frame, the cost of a signature, and the relay's rate per second.
 */
import { nobleCoSigner } from '@keybay/waas/mpc'
import { atLeast, atMost } from './budgets.mjs'
import { measureFirstSignature } from './first-signature.mjs'
import { undoing } from './measured.mjs'
import { startDatabase } from './measured-database.mjs'
import { measureMessages } from './messages.mjs'
import { measureSigning, plainFrostMs } from './signing.mjs'
import { highest } from './stats.mjs'
import { figure } from './table.mjs'

/** Maximum round trip of a single message, relative to raw ports in the same turn. */
const MESSAGE_RATIO = 1.3
/** Minimum throughput of 100 messages in flight, relative to penpal in the same turn. */
const CROWD_RATIO = 1
/** Minimum speed of one signature by both parties, relative to plain `ed25519_FROST` in the same turn. */
const SIGNING_RATIO = 6
/** Time of plain `ed25519_FROST`, 2 of 2, on the machine that the relay's budgets were made on, in ms. */
const PLAIN_MS = 23
/** Bare co-signatures per second of processor time on that reference machine. */
const CO_SIGN_LIMIT = 2_800
/** Signatures of the service per second of processor time, on this machine. */
const SERVICE_LIMIT = 800
/** Maximum processor time of the service for a signature, relative to the bare co-signature in the same run. */
const SERVICE_TIMES = 2
/** Maximum processor time of a ceremony at R1 on the reference machine, in ms. */
const CREATION_LIMIT = 25
const RESHARE_LIMIT = 22
/** Maximum processor time of a request that a relay refuses for want of authority, in ms. */
const REFUSAL_LIMIT = 1
/** Maximum time that one step may block the frame, in ms. */
const STEP_LIMIT = 50

/**
 * @typedef {object} RelayFigures Signatures per second of processor time.
 * @property {number | undefined} libsodium
 * @property {number | undefined} noble
 * @property {number | undefined} plainMs Plain `ed25519_FROST`, 2 of 2, before and after.
 * @property {number | undefined} service With every check, as a process of its own on PostgreSQL, whose time `cost` counts.
 * @property {{ creationMs: number, reshareMs: number } | undefined} ceremonies At R1, likewise.
 * @property {Readonly<Record<string, number>> | undefined} refusals ms of requests without authority, by their names.
 *
 * @typedef {object} WaasFigures What failed is undefined.
 * @property {import('./messages.mjs').MessageFigures | undefined} messages
 * @property {ReturnType<typeof measureSigning>} signing
 * @property {RelayFigures | undefined} relay
 * @property {import('./first-signature.mjs').FirstSignature | undefined} first
 */

const REPEATS = 3

/** @param {unknown} error */
function failed(error) {
  console.error(error)
  return undefined
}

/**
 * Runs a measurement of a relay on a database of its own.
 * @template T
 * @param {(databaseUrl: string) => Promise<T>} measure
 */
function onDatabase(measure) {
  return undoing(async onEnd => measure((await startDatabase(onEnd)).url)).catch(failed)
}

/** @param {{ rounds: number, ceremonies: number, refusals: number }} counts @returns {Promise<RelayFigures>} */
async function measureRelay({ rounds, ceremonies: count, refusals: attacks }) {
  const { bareRate, measureCeremonies, measureUnauthenticated, serviceRate } = await import(
    '@keybay/sandbox-relay/bench'
  )
  const { sodiumCoSigner } = await import('@keybay/sandbox-relay/cosign')
  for (const coSigner of [nobleCoSigner, sodiumCoSigner]) bareRate(coSigner, 200)
  // The best result: other work on the machine can only lower it.
  const best = (/** @type {typeof nobleCoSigner} */ coSigner, /** @type {number} */ count) =>
    highest(Array.from({ length: REPEATS }, () => bareRate(coSigner, count)))
  const before = plainFrostMs()
  const figures = { noble: best(nobleCoSigner, 200), libsodium: best(sodiumCoSigner, rounds) }
  // Each measurement bounds its own waits and leaves no process behind.
  const service = await onDatabase(url => serviceRate(rounds, url))
  const ceremonies = await onDatabase(url => measureCeremonies(count, url))
  const refusals = await measureUnauthenticated(attacks).catch(failed)
  // Best of two here too, because other work uses the machine at the same time.
  return { ...figures, service, ceremonies, refusals, plainMs: Math.min(before, plainFrostMs()) }
}

/**
 * @param {{ turns: number, rounds: number, ceremonies: number, refusals: number, loads: number }} options `turns` of
 *   messages and signatures, `rounds`, `ceremonies` and `refusals` of the relay, `loads` of the frame, each with one
 *   signature
 * @returns {Promise<WaasFigures>}
 */
export async function measureWaas({ turns, loads, ...counts }) {
  return {
    messages: await measureMessages(turns).catch(failed),
    signing: measureSigning(turns),
    relay: await measureRelay(counts).catch(failed),
    first: await measureFirstSignature(loads).catch(failed),
  }
}

/**
 * Scales figures of this machine to the reference machine.
 * @param {number | undefined} plainMs of this machine
 */
function getScale(plainMs) {
  const slower = plainMs && plainMs / PLAIN_MS
  return {
    slower,
    scaled: (/** @type {number | undefined} */ ms) => ms && slower && ms / slower,
    scaledRate: (/** @type {number | undefined} */ perSecond) => perSecond && slower && perSecond * slower,
  }
}

/**
 * @param {WaasFigures | undefined} figures undefined when all measurements failed
 * @returns {import('./reports.mjs').Report}
 */
export function reportWaas(figures) {
  const { messages, signing, relay, first } = figures ?? {}
  const message = (/** @type {string} */ title, /** @type {import('./messages.mjs').Path} */ path) => {
    const ms = messages?.aloneMs[path]
    return [title, figure(ms && ms * 1000, 0), figure(messages?.crowdedPerSecond[path], 0)]
  }
  const scheme = (/** @type {string} */ title, /** @type {import('./signing.mjs').Scheme} */ name) => [
    title,
    figure(signing?.[name].oursMs, 2),
    figure(signing?.[name].plainMs, 2),
    figure(signing?.[name].faster, 2),
  ]
  const { slower, scaled, scaledRate } = getScale(relay?.plainMs)
  const rate = (/** @type {string} */ title, /** @type {number | undefined} */ perSecond) => [
    title,
    figure(perSecond, 0),
    figure(scaledRate(perSecond), 0),
  ]
  const times = relay?.libsodium && relay.service && relay.libsodium / relay.service
  const ceremony = (/** @type {string} */ title, /** @type {number | undefined} */ ms) => [
    title,
    figure(ms, 1),
    figure(scaled(ms), 1),
  ]
  return {
    tables: [
      {
        title: 'A page and a frame of another site: 400 bytes there, a signature back',
        table: {
          head: ['', 'one at a time, µs', '100 in flight, per s'],
          rows: [
            message('MessagePort alone', 'raw'),
            message('Keybay: acknowledged, checked on both sides', 'keybay'),
            message('penpal', 'penpal'),
          ],
        },
      },
      {
        title: 'One signature, processor time of both parties',
        table: {
          head: ['', 'ms', 'plain FROST, ms', 'times faster'],
          rows: [scheme('2 of 2', 'TWO_OF_TWO'), scheme('2 of 3', 'TWO_OF_THREE')],
        },
      },
      {
        title: `A relay, per second of processor time. Plain FROST takes ${figure(slower, 2)} times the ${PLAIN_MS} ms of the machine of the budgets`,
        table: {
          head: ['', 'here', 'scaled to that machine'],
          rows: [
            rate('co-signature on noble', relay?.noble),
            rate('co-signature on libsodium', relay?.libsodium),
            rate('the service with every check, on PostgreSQL', relay?.service),
          ],
        },
      },
      {
        title: 'A ceremony at R1 on PostgreSQL, 2 of 2, processor time of R1 in ms with every check',
        table: {
          head: ['', 'here', 'scaled to that machine'],
          rows: [
            ceremony('creation of a wallet', relay?.ceremonies?.creationMs),
            ceremony('reshare', relay?.ceremonies?.reshareMs),
          ],
        },
      },
      {
        title: 'A request without authority at a relay, processor time until it is refused',
        table: {
          head: ['', 'ms'],
          rows: Object.entries(relay?.refusals ?? {}).map(([name, ms]) => [name, figure(ms, 2)]),
        },
      },
      {
        title: 'The first signature after a load, warmed up while idle, in Chromium',
        table: {
          head: ['', 'ms'],
          rows: [
            ['there and back, with the relay', figure(first?.signMs, 0)],
            ['longest step of the frame in any load, 0: none of 50 ms', figure(first?.longestMs, 0)],
            ['longest one while its script is read', figure(first?.loadMs, 0)],
          ],
        },
      },
    ],
    verdicts: [
      atMost('message to the frame and back', messages?.toRaw, MESSAGE_RATIO, 'times raw ports'),
      atLeast('100 messages in flight', messages?.toPenpal, CROWD_RATIO, 'times penpal'),
      atLeast('signature, 2 of 2', signing?.TWO_OF_TWO.faster, SIGNING_RATIO, 'times as fast as plain FROST'),
      atLeast('signature, 2 of 3', signing?.TWO_OF_THREE.faster, SIGNING_RATIO, 'times as fast as plain FROST'),
      atMost('longest step of the frame up to its first signature', first?.longestMs, STEP_LIMIT, 'ms'),
      atLeast('bare co-signatures, scaled', scaledRate(relay?.libsodium), CO_SIGN_LIMIT, 'per core and s'),
      atMost('request without authority', highest(Object.values(relay?.refusals ?? {})), REFUSAL_LIMIT, 'ms'),
      atLeast('co-signatures of the service', relay?.service, SERVICE_LIMIT, 'per core and s'),
      atMost('processor time of a signature at R1', times, SERVICE_TIMES, 'times the bare co-signature'),
      atMost('creation of a wallet at R1, scaled', scaled(relay?.ceremonies?.creationMs), CREATION_LIMIT, 'ms'),
      atMost('reshare at R1, scaled', scaled(relay?.ceremonies?.reshareMs), RESHARE_LIMIT, 'ms'),
    ],
  }
}
