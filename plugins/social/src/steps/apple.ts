/** Sign in with Apple JS: Apple's script takes the parameters of the API's URL and leaves the page itself. */
import { appleSdkFailed } from '@keybay/kernel/spec'
import type { ProviderSteps, StepTools } from '../steps.js'

const APPLE_SCRIPT = 'https://appleid.cdn-apple.com/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js'

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
  /** Leaves the page in redirect mode. */
  signIn(): Promise<unknown>
}

function isAuth(value: unknown): value is AppleAuth {
  return typeof value === 'object' && value !== null && 'init' in value && 'signIn' in value
}

function readAppleAuth(): AppleAuth | undefined {
  const auth: unknown = Reflect.get(Object(Reflect.get(window, 'AppleID')), 'auth')
  return isAuth(auth) ? auth : undefined
}
/** Loads the script once; after a failure the next call loads it again. */
async function loadScript(src: string, { signal, fail }: StepTools): Promise<AppleAuth> {
  const loaded = readAppleAuth()
  if (loaded) return loaded
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
  const auth = readAppleAuth()
  if (!auth) throw fail(appleSdkFailed)
  return auth
}
/** @param src URL of the script; default: Apple's server */
export function appleSteps(src: string = APPLE_SCRIPT): ProviderSteps {
  return {
    async visit({ authorizationUrl }, tools) {
      const auth = await loadScript(src, tools)
      const params = new URL(authorizationUrl).searchParams
      const get = (name: string) => params.get(name) ?? ''
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
  }
}
