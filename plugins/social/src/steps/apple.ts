/** Sign in with Apple JS: its script takes what the API put into the address, and leaves the page itself. */
import { appleSdkFailed } from '@keybay/kernel/spec'
import type { ProviderSteps, StepTools } from '../steps.js'

const SCRIPT = 'https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js'

/** https://developer.apple.com/documentation/signinwithapplejs/clientconfigi */
interface ClientConfig {
  readonly clientId: string
  readonly scope: string
  readonly redirectURI: string
  readonly state: string
  readonly nonce: string
  readonly usePopup: false
}
/** https://developer.apple.com/documentation/signinwithapplejs/appleid */
interface AppleAuth {
  init(config: ClientConfig): void
  /** In redirect mode it leaves the page. */
  signIn(): Promise<unknown>
}

function isAuth(value: unknown): value is AppleAuth {
  return typeof value === 'object' && value !== null && 'init' in value && 'signIn' in value
}

function authOf(): AppleAuth | undefined {
  const auth: unknown = Reflect.get(Object(Reflect.get(window, 'AppleID')), 'auth')
  return isAuth(auth) ? auth : undefined
}

/** One script for all attempts; one that failed is asked for again. */
async function load(src: string, { signal, fail }: StepTools): Promise<AppleAuth> {
  const there = authOf()
  if (there) return there
  const script = document.createElement('script')
  try {
    await new Promise<void>((resolve, reject) => {
      script.src = src
      script.async = true
      script.onload = () => resolve()
      script.onerror = reject
      signal.addEventListener('abort', () => reject(signal.reason))
      document.head.append(script)
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw fail(appleSdkFailed, cause)
  } finally {
    script.remove()
  }
  const auth = authOf()
  if (!auth) throw fail(appleSdkFailed)
  return auth
}

/** @param src where the script is; Apple's own by default */
export function appleSteps(src: string = SCRIPT): { readonly steps: ProviderSteps } {
  return {
    steps: {
      async visit({ authorizationUrl }, tools) {
        const auth = await load(src, tools)
        const asked = new URL(authorizationUrl).searchParams
        const get = (name: string) => asked.get(name) ?? ''
        auth.init({
          clientId: get('client_id'),
          scope: get('scope'),
          redirectURI: get('redirect_uri'),
          state: get('state'),
          nonce: get('nonce'),
          usePopup: false,
        })
        const left = tools.leave()
        const failed = auth.signIn().then(
          () => left,
          cause => {
            throw tools.fail(appleSdkFailed, cause)
          },
        )
        return Promise.race([left, failed])
      },
    },
  }
}
