/** Log lines of a service: batched, complete, and an error at once. */
import { describe, expect, it } from 'vitest'
import { jsonLog } from '../src/log.js'

function written() {
  const writes: string[] = []
  return { writes, log: jsonLog({ write: text => writes.push(text) }) }
}

function messages(text: string | undefined) {
  return (text ?? '')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).message)
}

describe('the log', () => {
  it('the log writes lines together, in order, with their time', async () => {
    const { writes, log } = written()
    for (const message of ['one', 'two', 'three']) log({ level: 'info', message, route: '/sign' })
    expect(writes).toEqual([])
    await expect.poll(() => writes).toHaveLength(1)
    expect(messages(writes[0])).toEqual(['one', 'two', 'three'])
    expect(JSON.parse(writes[0]?.split('\n')[0] ?? '')).toMatchObject({ level: 'info', route: '/sign' })
    expect(writes[0]).toMatch(/"time":"\d{4}-/)
  })

  it('the log writes an error at once, after the waiting lines', () => {
    const { writes, log } = written()
    log({ level: 'info', message: 'before' })
    log({ level: 'error', message: 'failed' })
    expect(writes.map(messages)).toEqual([['before', 'failed']])
  })

  it('a log without lines adds no listener to the process', () => {
    const before = process.listenerCount('exit')
    const { log } = written()
    expect(process.listenerCount('exit')).toBe(before)
    for (const message of ['one', 'two']) log({ level: 'info', message })
    expect(process.listenerCount('exit')).toBe(before + 1)
  })

  it('the log holds no more waiting lines than it has room for', () => {
    const { writes, log } = written()
    for (let index = 0; index < 1_000; index++) log({ level: 'info', message: String(index) })
    expect(writes).toHaveLength(2)
  })
})
