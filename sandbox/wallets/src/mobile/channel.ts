/**
 * Implements the wallet's half of the encrypted session from the specification; it shares no code with the client library:
 * https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html#session-establishment
 */
import { webcrypto } from 'node:crypto'

const { subtle } = webcrypto
const POINT_BYTES = 65
const SIGNATURE_BYTES = 64
const SEQUENCE_BYTES = 4
const IV_BYTES = 12
const P256 = { namedCurve: 'P-256' } as const

/** The page sent an invalid message. */
export class ChannelError extends Error {}

export interface Channel {
  seal(content: object): Promise<Uint8Array>
  /** @throws ChannelError if a message was altered, omitted or repeated */
  open(message: Uint8Array): Promise<unknown>
}

function sequence(number: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SEQUENCE_BYTES)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts))
}

function createChannel(key: webcrypto.CryptoKey): Channel {
  let sent = 0
  let received = 0
  const algorithm = (iv: Uint8Array<ArrayBuffer>, additionalData: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData,
    tagLength: 128,
  })
  return {
    async seal(content) {
      const number = sequence(++sent)
      const iv = webcrypto.getRandomValues(new Uint8Array(IV_BYTES))
      const plain = new TextEncoder().encode(JSON.stringify(content))
      return join(number, iv, new Uint8Array(await subtle.encrypt(algorithm(iv, number), key, plain)))
    },
    async open(message) {
      const number = message.slice(0, SEQUENCE_BYTES)
      if (message.length < SEQUENCE_BYTES + IV_BYTES) throw new ChannelError('The message is too short')
      if (new DataView(number.buffer).getUint32(0) !== received + 1) throw new ChannelError('The sequence is wrong')
      const iv = message.slice(SEQUENCE_BYTES, SEQUENCE_BYTES + IV_BYTES)
      const sealed = message.slice(SEQUENCE_BYTES + IV_BYTES)
      const plain = await subtle.decrypt(algorithm(iv, number), key, sealed).catch(() => {
        throw new ChannelError('The message cannot be opened')
      })
      received++
      return JSON.parse(new TextDecoder().decode(plain))
    },
  }
}

/**
 * Answers HELLO_REQ with HELLO_RSP. The request is the page's ECDH point, signed with the key of the association
 * address, so
 * that no other app on the phone can open a session in the page's name.
 *
 * @param association the page's public key from the association address, 65 bytes
 * @throws ChannelError
 */
export async function greet(
  hello: Uint8Array,
  association: Uint8Array,
): Promise<{ readonly channel: Channel; readonly answer: Uint8Array }> {
  if (hello.length !== POINT_BYTES + SIGNATURE_BYTES) throw new ChannelError('HELLO_REQ has the wrong length')
  const [point, signature] = [hello.slice(0, POINT_BYTES), hello.slice(POINT_BYTES)]
  const salt = new Uint8Array(association)
  const verifying = await subtle.importKey('raw', salt, { name: 'ECDSA', ...P256 }, false, ['verify'])
  if (!(await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, verifying, signature, point)))
    throw new ChannelError('HELLO_REQ is signed with another key')
  const peerKey = await subtle.importKey('raw', point, { name: 'ECDH', ...P256 }, false, [])
  const ours = await subtle.generateKey({ name: 'ECDH', ...P256 }, false, ['deriveBits'])
  const secret = await subtle.deriveBits({ name: 'ECDH', public: peerKey }, ours.privateKey, 256)
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const key = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array() },
    material,
    { name: 'AES-GCM', length: 128 },
    false,
    ['encrypt', 'decrypt'],
  )
  const channel = createChannel(key)
  const publicPoint = new Uint8Array(await subtle.exportKey('raw', ours.publicKey))
  // The session's properties follow the key in version 1 of the protocol.
  return { channel, answer: join(publicPoint, await channel.seal({ v: 1 })) }
}
