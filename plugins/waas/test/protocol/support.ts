import { type FakeClock, fakeClock, settle } from '@keybay/kernel/testing'
import { afterEach } from 'vitest'
import {
  createReceiver,
  createSender,
  type Handlers,
  type Sender,
  type SenderOptions,
  type WaasMessages,
  waasProtocol,
} from '../../src/protocol/index.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

export function atEnd(end: () => void): void {
  ends.push(end)
}

export const authority = { chainName: 'SOL', signedSessionId: 'session', authToken: 'token' } as const
export const onAccount = { ...authority, accountAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU' } as const
export { standInWallet as wallet } from '../client/stand-in-wallet.js'

export function pair(handlers: Handlers<WaasMessages>, options: Partial<SenderOptions> = {}) {
  const clock = fakeClock()
  const { port1, port2 } = new MessageChannel()
  /** Everything that the answering side posted. */
  const posted: unknown[] = []
  const post = port2.postMessage.bind(port2)
  port2.postMessage = (message: unknown) => {
    posted.push(message)
    post(message)
  }
  const sender = createSender(waasProtocol, port1, { clock, ...options })
  const receiver = createReceiver(waasProtocol, port2, handlers, { clock })
  atEnd(sender.close)
  atEnd(receiver.close)
  return { sender, clock, posted }
}
/** A sender whose other end is this function, which hears every envelope. */
export function alone(
  options: Partial<SenderOptions> = {},
  hear: (envelope: readonly unknown[], answer: (envelope: unknown) => void) => void = () => {},
): { readonly sender: Sender<WaasMessages>; readonly clock: FakeClock; readonly heard: readonly unknown[][] } {
  const clock = fakeClock()
  const { port1, port2 } = new MessageChannel()
  const envelopes: unknown[][] = []
  port2.onmessage = ({ data }) => {
    for (const envelope of Array.isArray(data[0]) ? data : [data]) {
      envelopes.push(envelope)
      hear(envelope, answer => port2.postMessage(answer))
    }
  }
  const sender = createSender(waasProtocol, port1, { clock, ...options })
  atEnd(sender.close)
  atEnd(() => port2.close())
  return { sender, clock, heard: envelopes }
}
/** Until it is so; looked at whenever everything that was ready has run. */
export async function until(met: () => unknown): Promise<void> {
  while (!met()) await settle()
}
export { settle }
