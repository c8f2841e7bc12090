import { describe, expect, it } from 'vitest'
import { isStorable, TokenBuckets } from '../src/http/index.js'

describe('isStorable', () => {
  it('refuses text that PostgreSQL cannot store, as a value and as a key', () => {
    expect(isStorable({ key: ['text', 1, true, null, { inner: '😀' }] })).toBe(true)
    for (const wrong of ['\0', '\ud800'])
      for (const value of [wrong, [wrong], { [wrong]: 1 }, { key: { wrong } }]) expect(isStorable(value)).toBe(false)
  })
  it('refuses more than 8,192 values and more than 32 levels, and stops there', () => {
    let read = 0
    const counting = new Proxy(Array<number>(100_000).fill(0), {
      get: (target, key) => {
        read += 1
        return Reflect.get(target, key)
      },
    })
    expect(isStorable(counting)).toBe(false)
    expect(read).toBeLessThan(10_000)
    expect(isStorable(Array(8_191).fill(0))).toBe(true)
    expect(isStorable(Array(8_192).fill(0))).toBe(false)
    const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)])
    expect(isStorable(nested(32))).toBe(true)
    expect(isStorable(nested(33))).toBe(false)
  })
})

describe('TokenBuckets', () => {
  it('gives each network its burst and then so many per second', () => {
    let now = 0
    const buckets = new TokenBuckets({ burst: 2, perSecond: 1, clock: { now: () => now } })
    const take = (network: string) => buckets.take(network)
    expect([take('a'), take('a'), take('a'), take('b')]).toEqual([true, true, false, true])
    now = 999
    expect(take('a')).toBe(false)
    now = 1_000
    expect([take('a'), take('a')]).toEqual([true, false])
    buckets.giveBack('a')
    expect([take('a'), take('a')]).toEqual([true, false])
    now = 60_000
    expect([take('a'), take('a'), take('a')]).toEqual([true, true, false])
  })
})
