/** Calls the product API with one proof per request; retries once if this device's clock is wrong. */
import type { Kernel, KeybayError } from '@keybay/kernel'
import type { Http, HttpRequest } from '@keybay/kernel/http'
import { accountAlreadyLinkedToDifferentProfile, toKeybayError } from '@keybay/kernel/spec'
import { isObject, number } from './parse/check.js'
import { signProof } from './proof.js'
import type { ProofKey } from './session-key.js'

export interface Send extends Omit<HttpRequest, 'method' | 'signal'> {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined
  readonly signal?: AbortSignal | undefined
  /** Key that proves the request. */
  readonly key?: ProofKey | undefined
  /** Access token that the request carries. Default: the session's, unless `anonymous`. */
  readonly token?: string | undefined
}
export interface Client {
  /**
   * @param path below `/sdk/{environmentId}`
   * @throws KeybayError with the server's code, or `request_failed`
   */
  send(path: string, options?: Send): Promise<unknown>
  /** Server time minus device time, in ms. Corrects later proofs. */
  skew: number
  /** Converts `expiresAt` to this device's clock. */
  local<T extends { readonly expiresAt: number }>(answer: T): T
}

type Parts = Pick<Kernel, 'config' | 'clock' | 'session'>

export function createClient({ config, clock, session }: Parts, http: Http): Client {
  const base = config.baseApiUrl?.replace(/\/$/, '') ?? ''
  const client: Client = {
    skew: 0,
    local: answer => ({ ...answer, expiresAt: answer.expiresAt - client.skew }),
    async send(path, { key, token: given, signal, method, ...options } = {}) {
      const whole = `/sdk/${config.environmentId}${path}`
      const { body } = options
      const verb = method ?? (body === undefined ? 'GET' : 'POST')
      const attempt = async () => {
        const token = given ?? (options.anonymous ? undefined : await session.bearer())
        return http(whole, {
          ...options,
          anonymous: true, // The proof names the token, so both are set here.
          ...(signal && { signal }),
          method: verb,
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...options.headers,
            ...(key && {
              dpop: await signProof(key, {
                method: verb,
                url: base + whole.replace(/\?.*/, ''),
                body: body === undefined ? undefined : JSON.stringify(body),
                token,
                now: clock.now() + client.skew,
              }),
            }),
          },
        }).catch(thrown => {
          throw withWalletCode(toKeybayError(thrown))
        })
      }
      try {
        return await attempt()
      } catch (thrown) {
        const now = getTime(toKeybayError(thrown))
        if (now === undefined) throw thrown
        client.skew = now - clock.now()
        return attempt()
      }
    },
  }
  return client
}
/** Adds the wallet error number of the only server code that has one (S3.1). */
function withWalletCode(error: KeybayError): KeybayError {
  const { code, walletCode } = accountAlreadyLinkedToDifferentProfile
  return Object.assign(error, error.code === code && { walletCode })
}
/** Returns the server's time if it rejected the proof because of this device's clock. */
function getTime({ code, details }: KeybayError): number | undefined {
  return code === 'invalid_proof' && isObject(details) && details.reason === 'time' && number(details.now)
    ? details.now
    : undefined
}
