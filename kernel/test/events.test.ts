/** The order and re-entrancy of the event bus, and of the listener sets that stores and tabs share with it. */
import { describe, expect, it, vi } from 'vitest'
import { createBus, createStore } from '../src/events.js'

function opening(connectorId: string) {
  return { connectorId }
}

function setUp() {
  const thrown: unknown[] = []
  const calls: string[] = []
  const bus = createBus(error => thrown.push(error))
  const log = (name: string) => () => void calls.push(name)
  return { bus, calls, log, thrown, emit: (id = 'w') => bus.emit('connection:opening', opening(id)) }
}

describe('the event bus', () => {
  it('calls the listeners of `on` and `onAny` in the order in which they subscribed', () => {
    const { bus, calls, log, emit } = setUp()
    bus.on('connection:opening', log('on 1'))
    bus.onAny(log('any 1'))
    bus.on('connection:opening', log('on 2'))
    bus.on('prompt:closed', log('other event'))
    bus.onAny(log('any 2'))
    emit()
    expect(calls).toEqual(['on 1', 'any 1', 'on 2', 'any 2'])
  })
  it('gives `on` the payload, and `onAny` the name and the payload', () => {
    const { bus, emit } = setUp()
    const [on, any] = [vi.fn(), vi.fn()]
    bus.on('connection:opening', on)
    bus.onAny(any)
    emit('w')
    expect(on.mock.calls).toEqual([[opening('w')]])
    expect(any.mock.calls).toEqual([['connection:opening', opening('w')]])
  })
  it('reports what a listener throws, and calls the listeners after it', () => {
    const { bus, calls, log, thrown, emit } = setUp()
    const error = new Error('listener')
    const fail = () => {
      throw error
    }
    bus.on('connection:opening', fail)
    bus.onAny(fail)
    bus.on('connection:opening', log('after'))
    expect(emit).not.toThrow()
    expect(calls).toEqual(['after'])
    expect(thrown).toEqual([error, error])
  })
  it('calls a listener once when it unsubscribes itself in its first call', () => {
    const { bus, calls, log, emit } = setUp()
    const stop = bus.on('connection:opening', () => {
      stop()
      calls.push('once')
    })
    bus.on('connection:opening', log('after'))
    emit()
    emit()
    expect(calls).toEqual(['once', 'after', 'after'])
  })
  it('calls a listener that another listener unsubscribes during an event, but only for that event', () => {
    const { bus, calls, log, emit } = setUp()
    bus.onAny(() => stop())
    const stop = bus.on('connection:opening', log('second'))
    emit()
    emit()
    expect(calls).toEqual(['second'])
  })
  it('calls a listener that subscribes during an event from the next event on', () => {
    const { bus, calls, log, emit } = setUp()
    const stop = bus.onAny(() => {
      stop()
      bus.on('connection:opening', log('late'))
    })
    bus.on('connection:opening', log('early'))
    emit()
    emit()
    expect(calls).toEqual(['early', 'early', 'late'])
  })
  it('finishes an event that a listener emits before it continues with the outer event', () => {
    const { bus, calls, emit } = setUp()
    bus.on('connection:opening', ({ connectorId }) => {
      calls.push(`first ${connectorId}`)
      if (connectorId === 'outer') emit('inner')
    })
    bus.on('connection:opening', ({ connectorId }) => calls.push(`second ${connectorId}`))
    emit('outer')
    expect(calls).toEqual(['first outer', 'first inner', 'second inner', 'second outer'])
  })
  it('calls a function once per subscription, and removes one subscription at a time', () => {
    const { bus, calls, log, emit } = setUp()
    const listener = log('listener')
    const stop = bus.on('connection:opening', listener)
    bus.on('connection:opening', listener)
    emit()
    stop()
    stop() // the second call has no effect
    emit()
    expect(calls).toEqual(['listener', 'listener', 'listener'])
  })
  it('calls the remaining listeners of an event that clears the bus, and no listener later', () => {
    const { bus, calls, log, emit } = setUp()
    bus.on('connection:opening', () => bus.clear())
    bus.on('connection:opening', log('after'))
    emit()
    emit()
    expect(calls).toEqual(['after'])
  })
})

describe('a store', () => {
  it('a store calls its subscribers once per microtask, in order, and reports the errors they throw', async () => {
    const { calls, log, thrown } = setUp()
    const store = createStore(0, error => thrown.push(error))
    store.subscribe(log('first'))
    store.subscribe(() => {
      throw 'thrown'
    })
    const stop = store.subscribe(log('removed'))
    store.subscribe(log('last'))
    store.set(1)
    store.set(2)
    stop()
    await Promise.resolve()
    expect(calls).toEqual(['first', 'last'])
    expect(thrown).toEqual(['thrown'])
    store.set(2)
    await Promise.resolve()
    expect(calls).toEqual(['first', 'last'])
  })
})
