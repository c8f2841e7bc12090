/**
 * Serves Sign in with Apple JS, as a page uses it in redirect mode:
 * https://developer.apple.com/documentation/signinwithapplejs. It leaves the page for `/auth/authorize`; Apple's own
 * script also requests an id token in the response, which no browser has to carry here.
 */
import type { Hono } from 'hono'

const PATH = '/apple/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js'

function script(base: string): string {
  return `(() => {
  let config
  window.AppleID = {
    auth: {
      init(given) {
        for (const name of ['clientId', 'redirectURI'])
          if (typeof given?.[name] !== 'string' || !given[name]) throw new Error('[AppleID SDK] ' + name + ' is missing')
        if (given.usePopup) throw new Error('[AppleID SDK] this page does not open windows')
        config = given
      },
      async signIn() {
        if (!config) throw new Error('[AppleID SDK] init must be called first')
        const address = new URL(${JSON.stringify(`${base}/apple/auth/authorize`)})
        const { clientId, redirectURI, scope, state, nonce } = config
        const query = { client_id: clientId, redirect_uri: redirectURI, response_type: 'code', response_mode: 'form_post', scope, state, nonce }
        for (const [name, value] of Object.entries(query)) if (value) address.searchParams.set(name, value)
        location.assign(address.href)
        return new Promise(() => {})
      },
    },
  }
})()
`
}

export function mountAppleScript(app: Hono, publicUrl: string): void {
  app.get(PATH, c => {
    c.header('content-type', 'text/javascript; charset=utf-8')
    c.header('cache-control', 'no-cache')
    c.header('cross-origin-resource-policy', 'cross-origin')
    return c.body(script(publicUrl))
  })
}
