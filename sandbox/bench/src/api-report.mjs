/** Reports the product API's capacity as a table beside the bare framework, and as verdicts. */
import { atLeast } from './budgets.mjs'
import { figure } from './table.mjs'

/** Minimum renewals per core, relative to the bare framework in the same run. */
const RENEWAL_RATIO = 0.4

/**
 * @param {import('./api.mjs').ApiFigures | undefined} figures undefined when the measurement failed
 * @returns {import('./reports.mjs').Report}
 */
export function reportApi(figures) {
  const row = (/** @type {string} */ title, /** @type {'renewal' | 'signIn'} */ what) => {
    const [api, bare] = [figures?.api[what], figures?.bare[what]]
    const ratio = api && bare ? api.perCore / bare.perCore : undefined
    return [
      title,
      figure(api?.p50Ms),
      figure(api?.p99Ms),
      figure(api?.perCore, 0),
      figure(bare?.perCore, 0),
      figure(ratio, 3),
    ]
  }
  const ratio = figures && figures.api.renewal.perCore / figures.bare.renewal.perCore
  return {
    tables: [
      {
        title: 'The product API on PGlite, eight users at once; bare: Hono and its Node server with constant answers',
        table: {
          head: ['', 'p50 ms', 'p99 ms', 'per core and s', 'bare', 'ratio'],
          rows: [row('renewal of a session', 'renewal'), row('sign-in by a code, two requests', 'signIn')],
        },
      },
    ],
    verdicts: [atLeast('renewals per core', ratio, RENEWAL_RATIO, 'times the bare framework')],
  }
}
