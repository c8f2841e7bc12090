/** API keys at custody: P-256. */
import { createECDH } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient, TurnkeyRequestError, VERSION } from '@turnkey/http'

export interface CustodyKey {
  /** 33 bytes, hex. */
  readonly publicKey: string
  /** 32 bytes, hex. */
  readonly privateKey: string
}

export function newKey(): CustodyKey {
  const { privateKey } = newKeyPair('P-256')
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.from(d, 'base64url').toString('hex')
  return { publicKey: readPublicKey(secret) ?? '', privateKey: secret }
}

/** Returns undefined if the text is not a private key. */
export function readPublicKey(privateKey: string): string | undefined {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(privateKey, 'hex')
    return curve.getPublicKey('hex', 'compressed')
  } catch {
    return undefined
  }
}

const TIMEOUT_MS = 30_000

/** Turnkey's client, which otherwise sends no header of its caller and waits for ever. */
class TracedClient extends TurnkeyClient {
  readonly #requestId: string | undefined

  constructor(requestId: string | undefined, ...args: ConstructorParameters<typeof TurnkeyClient>) {
    super(...args)
    this.#requestId = requestId
  }

  /** Sends a stamped body, as the base class does. @throws TurnkeyRequestError */
  override async request<Body, Answer>(path: string, body: Body): Promise<Answer> {
    const text = JSON.stringify(body)
    const { stampHeaderName, stampHeaderValue } = await this.stamper.stamp(text)
    const response = await fetch(this.config.baseUrl + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-client-version': VERSION,
        ...(this.#requestId !== undefined && { 'x-request-id': this.#requestId }),
        [stampHeaderName]: stampHeaderValue,
      },
      body: text,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = JSON.parse(await response.text())
    if (!response.ok) throw new TurnkeyRequestError(answer)
    return answer
  }
}

/** @param requestId ID of the request that custody is called for */
export function getClient(baseUrl: string, { publicKey, privateKey }: CustodyKey, requestId?: string): TurnkeyClient {
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey })
  return new TracedClient(requestId, { baseUrl }, stamper)
}
