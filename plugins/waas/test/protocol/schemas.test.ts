import { settle } from '@keybay/kernel/testing'
import { is } from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  createReceiver,
  type Handlers,
  type Sender,
  type WaasMessages,
  type WaasMessageType,
  waasProtocol,
} from '../../src/protocol/index.js'
import { SPECIFIED_TYPES, samples } from './samples.js'
import { alone, atEnd, authority, onAccount, pair, until } from './support.js'

const types = Object.keys(samples).filter((name): name is WaasMessageType => name in waasProtocol)

function without(payload: object, field: string) {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field))
}
/** Whatever it is handed, without the compiler's help. */
function sendAnything(sender: Sender<WaasMessages>, type: string, payload: unknown): Promise<unknown> {
  return Reflect.apply(sender.send, sender, [type, payload])
}

function getHandlers(give: (type: WaasMessageType) => unknown): Handlers<WaasMessages> {
  return Object.fromEntries(types.map(type => [type, () => give(type)]))
}

describe('the messages', () => {
  it('the protocol has the 22 messages of the specification and eight more', () => {
    expect(SPECIFIED_TYPES).toHaveLength(22)
    expect(types.toSorted()).toEqual(
      [
        ...SPECIFIED_TYPES,
        'backupKeyShares',
        'verifyBackup',
        'restoreBackup',
        'addDevice',
        'revokeSet',
        'setPolicy',
        'setPassword',
        'externalBackup',
      ].toSorted(),
    )
    expect(Object.keys(waasProtocol).toSorted()).toEqual(types.toSorted())
  })

  it('a request names the trace of the page only by a traceparent of version 00', () => {
    const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const accepts = (traceparent: unknown) => is(waasProtocol.getWallets.payload, { ...authority, traceparent })
    for (const sound of [undefined, `00-${trace}-${span}-01`, `00-${trace}-${span}-00`])
      expect(accepts(sound)).toBe(true)
    for (const wrong of [
      `01-${trace}-${span}-01`,
      `00-${trace}-${span}-01-more`,
      `00-${trace}-${span}-01\n`,
      `00-${trace.toUpperCase()}-${span}-01`,
      `00-${'0'.repeat(32)}-${span}-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      'ann@example.com',
      '',
      null,
    ])
      expect([wrong, accepts(wrong)]).toEqual([wrong, false])
  })

  for (const type of types) {
    it(`${type}: acknowledges the request and returns the complete response`, async () => {
      const { sender, posted } = pair(getHandlers(which => settle().then(() => samples[which][1])))
      expect(await sendAnything(sender, type, samples[type][0])).toEqual(samples[type][1])
      expect(posted[0]).toEqual([1, 0, [1]])
    })

    it(`${type}: acknowledges and rejects a request without a handler at once, and does not resend it`, async () => {
      let recoveries = 0
      const recover = async () => {
        recoveries++
        return undefined
      }
      const { sender, clock, posted } = pair({}, { recover })
      await expect(sendAnything(sender, type, samples[type][0])).rejects.toMatchObject({
        code: 'no_handlers_registered',
        message: `No handlers were registered for message of type ${type}`,
      })
      await clock.advance(10_000)
      await settle()
      expect([recoveries, posted.length]).toEqual([0, 1])
    })

    it(`[S3.7] ${type}: refuses missing, extra and mistyped payload fields on both sides`, async () => {
      const [payload] = samples[type]
      const { sender, heard } = alone()
      let called = 0
      const { port1, port2 } = new MessageChannel()
      const counted = getHandlers(which => {
        called++
        return samples[which][1]
      })
      const receiver = createReceiver(waasProtocol, port2, counted, { clock: { now: () => 0, after: () => () => {} } })
      atEnd(receiver.close)
      atEnd(() => port1.close())
      const answers: unknown[] = []
      port1.onmessage = ({ data }) => answers.push(data)
      const wrong: unknown[] = [
        { ...payload, extra: 1 },
        null,
        'text',
        [],
        ...Object.keys(payload)
          // Optional in the type, and left out on purpose elsewhere.
          .filter(field => !is(waasProtocol[type].payload, without(payload, field)))
          .map(field => without(payload, field)),
        ...Object.keys(payload).map(field => ({ ...payload, [field]: { toString: 1 } })),
      ]
      for (const [index, bad] of wrong.entries()) {
        await expect(sendAnything(sender, type, bad)).rejects.toMatchObject({ name: 'KeybayError' })
        port1.postMessage([0, index + 1, type, bad])
      }
      await until(() => answers.length === wrong.length)
      expect(answers.every(answer => Array.isArray(answer) && answer[0] === 3)).toBe(true)
      expect([called, heard.length]).toEqual([0, 0])
    })

    it(`${type}: refuses a malformed response on both sides`, async () => {
      const bad = { surprise: true }
      const lying = pair(getHandlers(() => bad))
      await expect(sendAnything(lying.sender, type, samples[type][0])).rejects.toMatchObject({
        code: 'message_malformed',
      })
      const { sender } = alone({}, (envelope, answer) => answer([2, envelope[1], bad]))
      await expect(sendAnything(sender, type, samples[type][0])).rejects.toMatchObject({ code: 'message_malformed' })
    })
  }

  it('[S5.3] refuses a raw message that does not have 64 characters: Message must be 64 characters long', async () => {
    const { sender } = alone()
    for (const message of ['', 'ab', 'a'.repeat(63), 'a'.repeat(65)])
      await expect(sender.send('signRawMessage', { ...onAccount, message })).rejects.toThrow(
        'Message must be 64 characters long',
      )
    await expect(sender.send('signRawMessage', { ...onAccount, message: 'z'.repeat(64) })).rejects.toMatchObject({
      code: 'message_malformed',
    })
  })

  it('[S5.7] refuses a message without account address, signed session ID or auth token', async () => {
    const { sender } = alone()
    const payload = samples.signMessage[0]
    for (const field of ['accountAddress', 'signedSessionId', 'authToken']) {
      const rejected = { code: 'authority_missing', message: expect.stringContaining(field) }
      await expect(sendAnything(sender, 'signMessage', without(payload, field))).rejects.toMatchObject(rejected)
      await expect(sendAnything(sender, 'signMessage', { ...payload, [field]: '' })).rejects.toMatchObject(rejected)
    }
    await expect(
      sendAnything(sender, 'signTransaction', without(samples.signTransaction[0], 'senderAddress')),
    ).rejects.toMatchObject({ code: 'authority_missing' })
  })

  it('never puts a payload value into an error, because it may be a secret', async () => {
    const { sender } = alone()
    const error: unknown = await sendAnything(sender, 'verifyPassword', { ...onAccount, password: ['hunter2'] }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ message: expect.stringContaining('verifyPassword.password') })
    expect(JSON.stringify(error)).not.toContain('hunter2')
  })

  it('finds no handler for an unknown message type, even one named like a property of Object.prototype', async () => {
    const clock = { now: () => 0, after: () => () => {} }
    for (const type of ['constructor', '__proto__', 'toString', 'nothing']) {
      const { port1, port2 } = new MessageChannel()
      const receiver = createReceiver(
        waasProtocol,
        port2,
        getHandlers(() => null),
        { clock },
      )
      atEnd(receiver.close)
      const answer = new Promise(resolve => {
        port1.onmessage = ({ data }) => resolve(data)
      })
      port1.postMessage([0, 1, type, {}])
      expect(await answer).toMatchObject([3, 1, { code: 'no_handlers_registered' }])
      port1.close()
    }
  })
})
