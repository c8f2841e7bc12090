import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  createReceiver,
  createSender,
  type Handlers,
  type WaasMessages,
  waasProtocol,
} from '../../src/protocol/index.js'
import { samples } from './samples.js'
import { atEnd, authority, settle, until } from './support.js'

/** Messages of any shape, and envelopes that are nearly right. */
const RUNS = 20_000
const names = Object.keys(samples)
const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true })
const payload = fc.oneof(
  anything,
  fc.constantFrom(...Object.values(samples).map(([sound]) => sound)),
  fc
    .tuple(fc.constantFrom(...Object.values(samples)), fc.string(), anything)
    .map(([[sound], field, value]) => ({ ...sound, [field]: value })),
  fc.tuple(fc.constantFrom(...Object.values(samples)), fc.nat(), anything).map(([[sound], index, value]) => {
    const fields = Object.keys(sound)
    return { ...sound, [fields[index % fields.length] ?? 'x']: value }
  }),
)
/** A sound payload, sometimes with one wrong field. */
const fitting = fc
  .tuple(fc.constantFrom(...Object.entries(samples)), fc.option(fc.tuple(fc.string(), anything)))
  .map(([[type, [sound]], change]) => [0, 1, type, change ? { ...sound, [change[0]]: change[1] } : sound])
const envelope = fc.oneof(
  { weight: 1, arbitrary: anything },
  { weight: 1, arbitrary: fitting },
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.oneof(fc.integer({ min: -1, max: 9 }), anything),
      fc.oneof(fc.integer({ min: -1, max: 300_000 }), anything),
      fc.oneof(fc.constantFrom(...names), fc.string(), anything),
      payload,
    ),
  },
)
const handlers: Handlers<WaasMessages> = Object.fromEntries(
  Object.entries(samples).map(([type, [, result]]) => [type, () => result]),
)

const clock = { now: () => 0, after: () => () => {} }

/** Posts 20,000 messages of any shape, but those that `change` drops. Returns the number posted. */
async function flood(port: MessagePort, seed: number, change: (message: unknown, sent: number) => boolean) {
  let sent = 0
  for (const message of fc.sample(envelope, { numRuns: RUNS, seed })) {
    if (!change(message, sent)) continue
    try {
      port.postMessage(message)
      sent++
    } catch {
      continue // cannot be cloned
    }
    if (sent % 2000 === 0) await settle()
  }
  return sent
}

it('responds to valid requests after 20,000 messages of any shape, and never throws', {
  timeout: 120_000,
}, async () => {
  const { port1, port2 } = new MessageChannel()
  const receiver = createReceiver(waasProtocol, port2, handlers, { clock })
  atEnd(receiver.close)
  atEnd(() => port1.close())
  const kinds = new Map<unknown, number>()
  let last: unknown
  port1.onmessage = ({ data }) => {
    kinds.set(data[0], (kinds.get(data[0]) ?? 0) + 1)
    last = data
  }
  const sent = await flood(port1, 20_260_101, (message, count) => {
    // Each request needs a new id: a repeated one counts as the same request.
    if (Array.isArray(message) && message[0] === 0) message[1] = count + 1
    return true
  })
  port1.postMessage([6, 424_242])
  await until(() => Array.isArray(last) && last[1] === 424_242)
  expect(sent).toBeGreaterThan(RUNS * 0.9)
  port1.postMessage([0, Number.MAX_SAFE_INTEGER, 'getWallets', authority])
  await until(() => Array.isArray(last) && last[1] === Number.MAX_SAFE_INTEGER)
  expect(last).toMatchObject([2, Number.MAX_SAFE_INTEGER, samples.getWallets[1]])
  // Rejected malformed requests and resolved sound ones.
  expect(kinds.get(3)).toBeGreaterThan(200)
  expect(kinds.get(2)).toBeGreaterThan(20)
})

it('settles a request only by its own result among 20,000 responses of any shape', { timeout: 120_000 }, async () => {
  const { port1, port2 } = new MessageChannel()
  const sender = createSender(waasProtocol, port1, { clock })
  atEnd(sender.close)
  atEnd(() => port2.close())
  let settled = false
  const result = sender.send('getWallets', authority)
  const mark = () => {
    settled = true
  }
  result.then(mark, mark)
  const isItsResult = (message: unknown) =>
    Array.isArray(message) && message[1] === 1 && (message[0] === 2 || message[0] === 3)
  const sent = await flood(port2, 20_260_102, message => !isItsResult(message))
  await settle()
  expect([settled, sent > RUNS * 0.9]).toEqual([false, true])
  port2.postMessage([2, 1, []])
  expect(await result).toEqual([])
})
