import { errorSpec, isKeybayError, KeybayError } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { describe, expect, it } from 'vitest'
import { createReceiver, createSender, type FalseNegative, waasProtocol } from '../../src/protocol/index.js'
import { alone, atEnd, authority, onAccount, pair, settle, until, wallet } from './support.js'

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
const signing = { ...onAccount, message: 'hello' }

/** Counts recoveries, which find that the frame is alive. */
function countRecoveries() {
  const counter = { recoveries: 0, recover: async () => void counter.recoveries++ }
  return counter
}

describe('a message', () => {
  it('[S4.10] acknowledges a message, then resolves or rejects it', async () => {
    for (const error of [undefined, new KeybayError(errorSpec('frozen', 'The wallet is frozen'))]) {
      const answer = deferred<readonly (typeof wallet)[]>()
      const { sender, posted, clock } = pair({ getWallets: () => answer.promise })
      const request = sender.send('getWallets', authority)
      const settled = error
        ? expect(request).rejects.toMatchObject({ code: 'frozen', message: 'The wallet is frozen' })
        : expect(request).resolves.toEqual([wallet])
      await until(() => posted.length)
      expect(posted).toEqual([[1, 0, [1]]])
      await settle() // it has arrived: the time for it is over without effect
      await clock.advance(5000)
      if (error) answer.reject(error)
      else answer.resolve([wallet])
      await settled
      expect(posted).toHaveLength(2)
    }
  })

  it('acknowledges a message by a result that is ready at once', async () => {
    const { sender, posted } = pair({ getWallets: async () => [wallet] })
    expect(await sender.send('getWallets', authority)).toEqual([wallet])
    await settle()
    expect(posted).toEqual([[2, 1, [wallet]]])
  })

  it('rejects a message with the handler’s error', async () => {
    const handlerError = new KeybayError(errorSpec('frozen', 'The wallet is frozen', 6), {
      status: 423,
      details: { epoch: 7n },
    })
    const { sender } = pair({ getWallets: () => Promise.reject(handlerError) })
    const error = await sender.send('getWallets', authority).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KeybayError)
    expect(error).toMatchObject({
      code: 'frozen',
      message: 'The wallet is frozen',
      walletCode: 6,
      status: 423,
      details: { epoch: 7n },
    })
  })

  it('rejects a message with an internal error for other thrown values, without their cause', async () => {
    const { sender, posted } = pair({
      getWallets: () => {
        throw new RangeError('out of range')
      },
    })
    const error = await sender.send('getWallets', authority).catch((thrown: unknown) => thrown)
    expect(isKeybayError(error)).toBe(true)
    expect(error).toMatchObject({ code: 'internal' })
    expect(JSON.stringify(posted)).not.toContain('stack')
  })

  it('delivers the progress of a message', async () => {
    const received: unknown[] = []
    const steps = [1, 2].map(number => ({ step: 'deal', number, of: 2 }))
    const { sender } = pair({
      refreshWalletAccountShares: async (_, { progress }) => {
        for (const step of steps) {
          progress(step)
          await settle()
        }
        return { wallet }
      },
    })
    await sender.send('refreshWalletAccountShares', onAccount, { onProgress: step => received.push(step) })
    expect(received).toEqual(steps)
  })

  it('runs the handler’s cleanup once, after a result and after an error', async () => {
    const ended: string[] = []
    const { sender } = pair({
      isPasswordEncrypted: (_, { atEnd }) => {
        atEnd(() => ended.push('at once'))
        return true
      },
      verifyPassword: async (_, { atEnd }) => {
        atEnd(() => ended.push('resolved'))
        await settle()
        expect(ended).toEqual(['at once'])
        return true
      },
      getWallets: async (_, { atEnd }) => {
        atEnd(() => ended.push('rejected'))
        atEnd(() => ended.push('rejected too'))
        throw new RangeError('out of range')
      },
    })
    await sender.send('isPasswordEncrypted', onAccount)
    await sender.send('verifyPassword', { ...onAccount, password: 'correct horse' })
    await sender.send('getWallets', authority).catch(() => undefined)
    expect(ended).toEqual(['at once', 'resolved', 'rejected', 'rejected too'])
  })

  it('runs the handler’s cleanup after an abort', async () => {
    const answer = deferred<readonly []>()
    const steps: string[] = []
    const { sender } = pair({
      getWallets: (_, { atEnd }) => {
        steps.push('begun')
        atEnd(() => steps.push('ended'))
        return answer.promise
      },
    })
    const asking = sender.send('getWallets', authority).catch(() => undefined)
    await until(() => steps.length)
    sender.close()
    await asking
    expect(steps).toEqual(['begun'])
    answer.resolve([])
    await until(() => steps.length === 2)
  })

  it('delivers bytes and BigInts unchanged, and never the rest of their buffer', async () => {
    const around = new Uint8Array(64).fill(0xee)
    around.set([0xff, 0x73], 10)
    let receivedMessage: unknown
    const policy = { programs: [], messages: true, dailyLimit: 2n ** 64n - 1n }
    const { sender, posted } = pair({
      signMessage: ({ message }) => {
        receivedMessage = message
        return { signature: around.subarray(0, 64) }
      },
      setPolicy: payload => ({ wallet: { ...wallet, policy: payload.policy ?? undefined } }),
    })
    await sender.send('signMessage', { ...onAccount, message: around.subarray(10, 12) })
    expect(receivedMessage).toEqual(Uint8Array.of(0xff, 0x73))
    expect(receivedMessage).toHaveProperty('buffer.byteLength', 2)
    const part = await pair({ signMessage: () => ({ signature: around.subarray(8, 16) }) }).sender.send(
      'signMessage',
      signing,
    )
    expect(part.signature.buffer.byteLength).toBe(8)
    expect((await sender.send('setPolicy', { ...onAccount, setId: 's1', policy })).wallet.policy).toEqual(policy)
    expect(posted).toHaveLength(2)
  })

  it('aborts a message on both sides by its signal', async () => {
    const gone = deferred<string>()
    const { sender } = pair({
      signMessage: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            gone.resolve('aborted')
            reject(signal.reason)
          })
        }),
    })
    const control = new AbortController()
    const request = sender.send('signMessage', signing, { signal: control.signal })
    await settle()
    control.abort()
    await expect(request).rejects.toMatchObject({ code: 'aborted' })
    expect(await gone.promise).toBe('aborted')
  })

  it('sends nothing for a signal that is already aborted', async () => {
    const { sender, heard } = alone()
    await expect(sender.send('getWallets', authority, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
    await settle()
    expect(heard).toEqual([])
  })

  it('[S8.5] without a handler: No handlers were registered for message of type {type}', async () => {
    const { sender } = pair({})
    await expect(
      sender.send('reshare', {
        ...onAccount,
        oldThresholdSignatureScheme: 'TWO_OF_TWO',
        newThresholdSignatureScheme: 'TWO_OF_THREE',
      }),
    ).rejects.toMatchObject({
      code: 'no_handlers_registered',
      message: 'No handlers were registered for message of type reshare',
    })
  })

  it('rejects a message when the messenger closes', async () => {
    const { sender } = alone()
    const request = sender.send('getWallets', authority)
    sender.close()
    await expect(request).rejects.toMatchObject({ code: 'messenger_closed' })
    await expect(sender.send('getWallets', authority)).rejects.toMatchObject({ code: 'messenger_closed' })
  })
})

describe('a message without an acknowledgement', () => {
  it('[S4.11] [S9.4] sends an unacknowledged message again after 5 s and a recovery', async () => {
    const counter = countRecoveries()
    const { sender, clock, heard } = alone(counter, (envelope, answer) => {
      if (heard.length === 2) answer([2, envelope[1], []])
    })
    const request = sender.send('getWallets', authority)
    await clock.advance(4999)
    expect([counter.recoveries, heard.length]).toEqual([0, 1])
    await clock.advance(1)
    expect(await request).toEqual([])
    expect([counter.recoveries, heard.length]).toEqual([1, 2])
    expect(heard[1]).toEqual(heard[0])
  })

  it('[S4.11] rejects an unacknowledged message after two timeouts: no handlers registered', async () => {
    const { sender, clock, heard } = alone({ recover: async () => undefined })
    const request = sender.send('getWallets', authority)
    const rejected = expect(request).rejects.toThrow('No handlers were registered for message of type getWallets')
    await clock.advance(5000)
    await clock.advance(5000)
    await rejected
    expect(heard).toHaveLength(2)
  })

  it('[S4.11] rejects an unacknowledged message that must not be sent again', async () => {
    const counter = countRecoveries()
    const { sender, clock, heard } = alone(counter)
    const request = sender.send('exportPrivateKey', onAccount)
    const rejected = expect(request).rejects.toMatchObject({ code: 'no_handlers_registered' })
    await clock.advance(5000)
    await rejected
    expect([counter.recoveries, heard.length]).toEqual([1, 1])
  })

  it('rejects an unacknowledged message with the cause of a failed recovery', async () => {
    const { sender, clock } = alone({ recover: () => Promise.reject(new Error('offline')) })
    const request = sender.send('getWallets', authority)
    const rejected = expect(request).rejects.toMatchObject({
      code: 'no_handlers_registered',
      cause: { message: 'offline' },
    })
    await clock.advance(5000)
    await rejected
  })

  it('unacknowledged messages share one recovery', async () => {
    const counter = countRecoveries()
    const { sender, clock, heard } = alone(counter, (envelope, answer) => {
      if (heard.length > 3) answer([2, envelope[1], []])
    })
    const all = [1, 2, 3].map(() => sender.send('getWallets', authority))
    await clock.advance(5000)
    expect(await Promise.all(all)).toEqual([[], [], []])
    expect(counter.recoveries).toBe(1)
  })

  it('a message never expires once it is acknowledged', async () => {
    const answer = deferred<boolean>()
    const { sender, clock, posted } = pair({ verifyPassword: () => answer.promise })
    const request = sender.send('verifyPassword', { ...onAccount, password: 'secret' })
    await until(() => posted.length)
    await settle() // it has arrived
    await clock.advance(600_000)
    answer.resolve(true)
    expect(await request).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  it('[S4.12] reports a late acknowledgement as a false negative', async () => {
    const reports: FalseNegative[] = []
    let late = () => {}
    const { sender, clock } = alone({ onFalseNegative: report => reports.push(report) }, (envelope, answer) => {
      late = () => answer([1, envelope[1]])
    })
    const request = sender.send('exportPrivateKey', onAccount)
    const rejected = expect(request).rejects.toMatchObject({ code: 'no_handlers_registered' })
    await clock.advance(5000)
    await rejected
    expect(reports).toEqual([])
    await clock.advance(2000)
    late()
    await until(() => reports.length)
    expect(reports).toEqual([{ type: 'exportPrivateKey', after: 7000 }])
    late()
    await settle()
    expect(reports).toHaveLength(1)
  })

  it('[S4.12] reports an acknowledgement during the recovery, and does not send the message again', async () => {
    const reports: FalseNegative[] = []
    const recovered = deferred<undefined>()
    let answerLate = () => {}
    const { sender, clock, heard } = alone(
      { recover: () => recovered.promise, onFalseNegative: report => reports.push(report) },
      (envelope, answer) => {
        answerLate = () => answer([2, envelope[1], []])
      },
    )
    const request = sender.send('getWallets', authority)
    await clock.advance(5000)
    answerLate()
    expect(await request).toEqual([])
    expect(reports).toEqual([{ type: 'getWallets', after: 5000 }])
    recovered.resolve(undefined)
    await settle()
    expect(heard).toHaveLength(1)
  })
})

describe('several messages of one task', () => {
  it('messages of one task go in one post, and so do their results', async () => {
    const { sender, posted } = pair({ isPasswordEncrypted: async () => true })
    const all = Array.from({ length: 300 }, () => sender.send('isPasswordEncrypted', onAccount))
    expect(new Set(await Promise.all(all))).toEqual(new Set([true]))
    // At most 256 in one post.
    expect(posted.map(post => Array.isArray(post) && post.length)).toEqual([256, 44])
  })

  it('messages of one task are settled individually when a result cannot be cloned', async () => {
    const odd = new KeybayError(errorSpec('odd', 'Odd'), { details: () => 1 })
    const { sender } = pair({ isPasswordEncrypted: async () => true, getWallets: () => Promise.reject(odd) })
    const [first, second, third] = await Promise.allSettled([
      sender.send('isPasswordEncrypted', onAccount),
      sender.send('getWallets', authority),
      sender.send('isPasswordEncrypted', onAccount),
    ])
    expect([first, third]).toMatchObject([{ value: true }, { value: true }])
    expect(second).toMatchObject({ reason: { code: 'odd' } })
  })

  it('messages of one task are posted before the messenger closes', async () => {
    const { sender, heard } = alone()
    const requests = [1, 2].map(() => sender.send('cleanup', { chainName: 'SOL' }))
    sender.close()
    await Promise.allSettled(requests)
    await until(() => heard.length === 4)
    // The last two end the first two.
    expect(heard.map(([, , type]) => type)).toEqual(['cleanup', 'cleanup', undefined, undefined])
  })

  it.each([
    ['its page closes the messenger', ({ sender }: { readonly sender: { close(): void } }) => sender.close()],
    ['its page drops the port', ({ port1 }: { readonly port1: MessagePort }) => port1.close()],
  ])('a running request is aborted when %s', async (_, leave) => {
    const { port1, port2 } = new MessageChannel()
    const clock = fakeClock()
    let asked: AbortSignal | undefined
    const cleanup = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      asked = signal
      return new Promise<null>(() => {})
    }
    const receiver = createReceiver(waasProtocol, port2, { cleanup }, { clock })
    atEnd(receiver.close)
    const sender = createSender(waasProtocol, port1, { clock })
    sender.send('cleanup', { chainName: 'SOL' }).catch(() => {})
    await until(() => asked)
    leave({ sender, port1 })
    await until(() => asked?.aborted)
  })

  it('drops a post of more than 256 messages, and other values in a post', async () => {
    const { port1, port2 } = new MessageChannel()
    let called = 0
    const count = () => {
      called++
      return null
    }
    const receiver = createReceiver(waasProtocol, port2, { cleanup: count }, { clock: fakeClock() })
    atEnd(receiver.close)
    atEnd(() => port1.close())
    const request = (id: number) => [0, id, 'cleanup', { chainName: 'SOL' }]
    const answers: unknown[] = []
    port1.onmessage = ({ data }) => answers.push(data)
    port1.postMessage(Array.from({ length: 257 }, (_, index) => request(index + 1)))
    port1.postMessage([request(1), 'odd', null, [request(2)], [9, 3], request(4)])
    await until(() => answers.length)
    expect(called).toBe(2)
    expect(answers).toEqual([
      [
        [2, 1, null],
        [2, 4, null],
      ],
    ])
  })
})

describe('a new port after a recovery', () => {
  it('a new port after a recovery gets the greeting first, then each pending request once', async () => {
    const { port1, port2 } = new MessageChannel()
    const done: string[] = []
    const finish = <T>(step: string, result: T): T => {
      done.push(step)
      return result
    }
    const receiver = createReceiver(
      waasProtocol,
      port2,
      {
        sendAuthToken: () => finish('sendAuthToken', null),
        getWallets: () => finish('getWallets', [wallet]),
        createWalletAccount: ({ idempotencyKey }) => finish(`createWalletAccount ${typeof idempotencyKey}`, { wallet }),
      },
      { clock: { now: () => 0, after: () => () => {} } },
    )
    atEnd(receiver.close)
    const { sender, clock } = alone(
      {
        recover: async () => port1,
        greet: () => void sender.send('sendAuthToken', { chainName: 'SOL', authToken: 't', exchange: 'e' }),
      },
      (envelope, answer) => {
        if (envelope[2] === 'createWalletAccount') answer([1, envelope[1]]) // and then it dies
      },
    )
    const both = [
      sender.send('createWalletAccount', { ...authority, thresholdSignatureScheme: 'TWO_OF_TWO' }),
      sender.send('getWallets', authority),
    ]
    const lost = sender.send('exportPrivateKey', onAccount)
    const rejected = expect(lost).rejects.toMatchObject({ code: 'no_handlers_registered' })
    await clock.advance(5000)
    expect(await Promise.all(both)).toEqual([{ wallet }, [wallet]])
    await rejected
    expect(done).toEqual(['sendAuthToken', 'createWalletAccount string', 'getWallets'])
  })

  it('requests a new port at once when the old port closes', async () => {
    const first = new MessageChannel()
    const second = new MessageChannel()
    const { clock } = alone()
    const sender = createSender(waasProtocol, first.port1, { clock, recover: async () => second.port1 })
    atEnd(sender.close)
    const receiver = createReceiver(waasProtocol, second.port2, { getWallets: () => [] }, { clock })
    atEnd(receiver.close)
    const request = sender.send('getWallets', authority)
    first.port2.close()
    expect(await request).toEqual([])
  })
})

describe('a repeated request', () => {
  const create = { ...authority, thresholdSignatureScheme: 'TWO_OF_TWO', idempotencyKey: 'k' } as const

  it('a repeated request with the same key gets the first result and does not run again', async () => {
    let made = 0
    const { sender } = pair({
      createWalletAccount: async () => {
        made++
        await settle()
        return { wallet: { ...wallet, walletId: `w${made}` } }
      },
    })
    const [first, second] = await Promise.all([
      sender.send('createWalletAccount', create),
      sender.send('createWalletAccount', {
        ...create,
        authToken: 'renewed',
        traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
      }),
    ])
    const third = await sender.send('createWalletAccount', create)
    expect([first, second, third].map(answer => answer.wallet.walletId)).toEqual(['w1', 'w1', 'w1'])
    await sender.send('createWalletAccount', { ...create, idempotencyKey: 'other' })
    expect(made).toBe(2)
  })

  it('a repeated request runs again after a failure', async () => {
    let tries = 0
    const { sender } = pair({
      createWalletAccount: async () => {
        tries++
        if (tries === 1) throw new Error('offline')
        return { wallet }
      },
    })
    await expect(sender.send('createWalletAccount', create)).rejects.toMatchObject({ code: 'internal' })
    expect(await sender.send('createWalletAccount', create)).toEqual({ wallet })
  })

  it('refuses a repeated request that differs from the first request with its key', async () => {
    const { sender } = pair({ createWalletAccount: () => ({ wallet }) })
    await sender.send('createWalletAccount', create)
    await expect(
      sender.send('createWalletAccount', { ...create, thresholdSignatureScheme: 'THREE_OF_FIVE' }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  })

  it('a repeated request runs again after two minutes', async () => {
    let made = 0
    const { sender, clock } = pair({
      createWalletAccount: () => {
        made++
        return { wallet }
      },
    })
    await sender.send('createWalletAccount', create)
    await clock.advance(120_000)
    await sender.send('createWalletAccount', create)
    expect(made).toBe(2)
  })

  it('a repeated request with the same message id runs once', async () => {
    const { port1, port2 } = new MessageChannel()
    let calls = 0
    const receiver = createReceiver(
      waasProtocol,
      port2,
      {
        getWallets: async () => {
          calls++
          await settle()
          return []
        },
      },
      { clock: { now: () => 0, after: () => () => {} } },
    )
    atEnd(receiver.close)
    atEnd(() => port1.close())
    const received: unknown[] = []
    port1.onmessage = ({ data }) => received.push(data)
    for (let i = 0; i < 3; i++) port1.postMessage([0, 1, 'getWallets', authority])
    await until(() => received.some(envelope => Array.isArray(envelope) && envelope[0] === 2))
    port1.postMessage([0, 1, 'getWallets', authority])
    port1.postMessage([0, 2, 'getWallets', authority])
    await until(() => received.some(envelope => Array.isArray(envelope) && envelope[0] === 2 && envelope[1] === 2))
    expect(calls).toBe(2)
  })
})

describe('ping', () => {
  it('a ping resolves without a handler', async () => {
    const { sender, clock } = pair({})
    await sender.ping(1000)
    expect(clock.pending()).toBe(0)
  })
  it('a ping rejects after its timeout', async () => {
    const { sender, clock } = alone()
    const rejected = expect(sender.ping(1000)).rejects.toMatchObject({ code: 'messenger_closed' })
    await clock.advance(1000)
    await rejected
  })
})
