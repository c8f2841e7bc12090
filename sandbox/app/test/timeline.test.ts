import { describe, expect, it } from 'vitest'
import { createTimeline, filterTimeline, summarize, timelineToJson } from '../src/developer/timeline.js'

type Listener = (event: string, payload: unknown) => void

function setUp() {
  let emit: Listener = () => {}
  let now = 1_000
  const timeline = createTimeline(
    {
      onAny: listener => {
        emit = listener
        return () => {}
      },
    },
    () => now++,
  )
  return { timeline, emit: (event: string, payload: unknown) => emit(event, payload) }
}

describe('the timeline', () => {
  it('the timeline keeps events in order, with their times', () => {
    const { timeline, emit } = setUp()
    emit('connection:opening', { connectorId: 'a' })
    emit('connection:failed', { connectorId: 'a' })
    expect(timeline.get().map(({ event, at }) => [event, at])).toEqual([
      ['connection:opening', 1000],
      ['connection:failed', 1001],
    ])
  })

  it('the timeline holds no secrets, even before it is shown', () => {
    const { timeline, emit } = setUp()
    const secret = '5'.repeat(88)
    emit('log', { token: 'abc', message: `key ${secret}`, bytes: new Uint8Array([1, 2, 3]), amount: 5n })
    const json = timelineToJson(timeline.get())
    expect(json).not.toContain(secret)
    expect(json).not.toContain('abc')
    expect(JSON.parse(json)).toEqual([
      {
        at: '1970-01-01T00:00:01.000Z',
        event: 'log',
        payload: { token: '[redacted]', message: 'key [redacted]', bytes: '[3 bytes]', amount: '5' },
      },
    ])
  })

  it.each([
    [{ operation: 'reshare', step: 'deal', number: 1, of: 4 }, 'reshare · deal (1 of 4)'],
    [{ operation: 'signTransaction', address: 'abc' }, 'signTransaction'],
    [{ state: 'ready' }, 'ready'],
    [{ step: 'signed' }, 'signed'],
  ])('the timeline describes %j in a few words', (payload, words) => expect(summarize(payload)).toBe(words))

  it('the timeline drops its oldest entries beyond the limit', () => {
    const { timeline, emit } = setUp()
    for (let n = 0; n < 600; n++) emit('log', { n })
    expect(timeline.get()).toHaveLength(500)
    expect(timeline.get()[0]?.payload).toEqual({ n: 100 })
  })

  it('the timeline filters entries that contain all words in their name or payload', () => {
    const { timeline, emit } = setUp()
    emit('connection:opened', { connectorId: 'wallet-standard:phantom' })
    emit('connection:opened', { connectorId: 'wallet-standard:solflare' })
    emit('log', { message: 'phantom' })
    const search = (text: string) => filterTimeline(timeline.get(), text).map(({ id }) => id)
    expect(search('PHANTOM')).toEqual([1, 3])
    expect(search('phantom opened')).toEqual([1])
    expect(search('  ')).toEqual([1, 2, 3])
    expect(search('nothing')).toEqual([])
  })
})
