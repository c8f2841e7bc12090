/** Divides two processor cores between the test projects: two lanes in front, and one behind them uses what they leave idle. */

/**
 * @typedef {import('./repo.mjs').Package} Package
 * @typedef {object} Job
 * @property {string} task of turbo
 * @property {readonly Package[]} packages
 */

/**
 * Projects of the front lanes, longest first. Browser tests have user-like timeouts, so at most two run at a time, and all
 * other projects run behind them at a lower priority.
 */
const FRONT = ['sandbox/testing', 'sandbox/frame', 'sandbox/app', 'sandbox/wallets', 'sandbox/bench']

/**
 * Projects of the back lane, longest first, so that all lanes end at about the same time; all others follow as one
 * job of two minutes.
 */
const BACK = [
  'sandbox/api',
  'sandbox/relay',
  'sandbox/custody',
  'plugins/waas',
  'sandbox/tools',
  'sandbox/create',
  'plugins/solana',
  'plugins/turnkey',
  'sandbox/service',
  'sandbox/docs',
  'sandbox/operate',
  'kernel',
]

/**
 * @param {readonly Package[]} chosen
 * @returns {{ front: readonly Job[], back: readonly Job[] }} in order of execution
 */
export function splitIntoJobs(chosen) {
  const pick = (/** @type {readonly string[]} */ folders) =>
    folders
      .flatMap(folder => chosen.filter(pkg => pkg.folder === folder))
      .map(pkg => ({ task: 'test', packages: [pkg] }))
  const rest = chosen.filter(({ folder }) => ![...FRONT, ...BACK].includes(folder))
  const withFaults = chosen.filter(({ manifest }) => manifest.scripts?.['test:faults'])
  const faults = withFaults.map(withFault => ({ task: 'test:faults', packages: [withFault] }))
  return {
    front: pick(FRONT),
    back: [...faults, ...pick(BACK), ...(rest.length > 0 ? [{ task: 'test', packages: rest }] : [])],
  }
}

/**
 * Runs two lists concurrently, each in order: `front` two jobs at a time, `back` one. A lane without jobs takes the last
 * job of the other list.
 * @template T
 * @param {readonly (() => Promise<T>)[]} front
 * @param {readonly (() => Promise<T>)[]} back
 * @returns {Promise<T[]>}
 */
export async function inLanes(front, back) {
  const [first, second] = [[...front], [...back]]
  /** @param {(() => Promise<T>)[]} jobs @param {(() => Promise<T>)[]} others */
  const work = async (jobs, others) => {
    /** @type {T[]} */
    const results = []
    for (let job = jobs.shift() ?? others.pop(); job; job = jobs.shift() ?? others.pop()) results.push(await job())
    return results
  }
  const lanes = await Promise.all([work(first, second), work(first, second), work(second, first)])
  return lanes.flat()
}
