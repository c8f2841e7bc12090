/** Reports key custody's capacity as a table beside the bare cryptography, and as verdicts. */
import { atMost } from './budgets.mjs'
import { figure } from './table.mjs'

/**
 * Maximum processor time of one signature, relative to the bare cryptography in the same run. The database takes most
 * of
 * it: an activity is stored, locked, decided, completed and audited before its bytes leave.
 */
const SERVICE_TIMES = 500

/**
 * @param {import('./custody.mjs').CustodyFigures | undefined} figures undefined when all measurements failed
 * @returns {import('./reports.mjs').Report}
 */
export function reportCustody(figures) {
  const { click, polled, service, bare } = figures ?? {}
  const times = service && bare ? bare / service.perCore : undefined
  const row = (/** @type {string} */ title, /** @type {import('./custody-click.mjs').Click | undefined} */ one) => [
    title,
    figure(one?.ms, 0),
    figure(one?.requests, 1),
  ]
  return {
    tables: [
      {
        title: 'A signature by key custody, with a session key, in Chromium: from the click to the bytes',
        table: {
          head: ['', 'ms', 'requests'],
          rows: [row('answered at once', click), row('still under way, asked for once more after 500 ms', polled)],
        },
      },
      {
        title: 'Key custody on PGlite, eight users at once; bare: one stamp verified, a key opened, the bytes signed',
        table: {
          head: ['', 'p50 ms', 'processor ms', 'per core and s', 'bare', 'times'],
          rows: [
            [
              'signature of 215 bytes, one request',
              figure(service?.p50Ms),
              figure(service?.ms, 2),
              figure(service?.perCore, 0),
              figure(bare, 0),
              figure(times, 0),
            ],
          ],
        },
      },
    ],
    verdicts: [
      atMost('requests of a custody signature', click?.requests, 1),
      atMost('requests of one that is polled', polled?.requests, 2),
      atMost('processor time of a custody signature', times, SERVICE_TIMES, 'times the bare cryptography'),
    ],
  }
}
