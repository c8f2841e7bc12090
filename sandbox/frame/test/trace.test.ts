/** Tests that a signature's trace of OpenTelemetry goes from the page through the frame to both relays and their databases. */
import { type Collector, startCollector } from '@keybay/sandbox-service/testing/collector'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { expectSigns, open } from './user.js'
import { setUpWorld } from './world.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

let database: Postgres
let collector: Collector
beforeAll(async () => {
  database = await startPostgres()
  collector = await startCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50')
}, 120_000)
const world = setUpWorld({ traced: () => [database.create('r1'), database.create('r2')] })
afterAll(() => {
  vi.unstubAllEnvs()
  collector?.stop()
  database?.stop()
})

function getPaths(): readonly string[] {
  return collector.spans.filter(({ traceId }) => traceId === TRACE).map(span => collector.pathOf(span))
}

/** Signs on a page of a trace, and returns the hosts that the page or a frame sent it to. */
async function signTraced(parent: string): Promise<{ readonly hosts: ReadonlySet<string>; readonly relay: string }> {
  const { page, address } = await open(world, 'THREE_OF_FIVE')
  const hosts = new Set<string>()
  page.on('request', request => {
    if (request.headers().traceparent !== undefined) hosts.add(new URL(request.url()).host)
  })
  await page.evaluate(text => {
    window.traceparent = text
  }, parent)
  await expectSigns(page, address)
  const relay = new URL(page.url()).searchParams.get('relay') ?? ''
  return { hosts, relay: new URL(relay).host }
}

it('a signature of the wallet belongs to the page’s trace, from R1 to R2 and their databases, and no other host gets it', async () => {
  const { hosts, relay } = await signTraced(PARENT)
  expect(hosts).toEqual(new Set([relay]))
  await expect
    .poll(getPaths, { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^relay POST \S+sign > relay SELECT$/),
        expect.stringMatching(/^relay POST \S+sign > relay POST > relay POST \S+ > relay SELECT$/),
      ]),
    )
})

it('a text of the page that is no trace reaches no host, and the wallet signs', async () => {
  expect((await signTraced('ann@example.com')).hosts).toEqual(new Set())
})
