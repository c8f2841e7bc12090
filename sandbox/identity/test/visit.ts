/**
 * Acts as a user with a browser at the providers: follows the pages, chooses an account, and ends where the app
 * continues.
 */

/** Page to which the browser was sent: query and fragment merged, as the app's return page sees them. */
export interface Returned {
  /** URL without query and fragment. */
  readonly page: string
  readonly params: Record<string, string>
}

export interface Choice {
  /** Key in users.ts, or `cancel`. */
  readonly user: string
  /** Ends the visit at the first address for which it returns true. */
  readonly until: (url: URL) => boolean
  /** Replaces names that Node cannot resolve: `http://identity.localhost:4500` → `http://127.0.0.1:4500`. */
  readonly resolve: (url: string) => string
}

const MAX_HOPS = 12

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => ENTITIES[entity] ?? '')
}

/** Returns the page's form, filled in: with an account, or with the values in it already. */
function getForm(html: string, user: string): { action: string; body: URLSearchParams } | undefined {
  const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
  if (action === undefined) return undefined
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const fields = hidden.map(([, name = '', value = '']) => [decode(name), decode(value)])
  const chosen = user === 'cancel' ? [['cancel', 'yes']] : [['user', user]]
  return { action: decode(action), body: new URLSearchParams(hidden.length > 0 ? fields : chosen) }
}

/** Returns the query and the fragment as one record. */
export function getParams(url: URL): Record<string, string> {
  return { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(new URLSearchParams(url.hash.slice(1))) }
}

/** Visits a provider and comes back. @throws Error with the page's text when the provider refuses */
export async function visit(address: string, { user, until, resolve }: Choice): Promise<Returned> {
  const jar = new Map<string, string>()
  let url = new URL(address)
  let form: { body: URLSearchParams } | undefined
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (until(url))
      return {
        page: `${url.origin}${url.pathname}`,
        params: { ...getParams(url), ...Object.fromEntries(form?.body ?? []) },
      }
    const response: Response = await fetch(resolve(url.href), {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form.body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    const html = await response.text()
    if (location !== null) {
      url = new URL(location, url)
      form = undefined
      continue
    }
    const next = response.ok ? getForm(html, user) : undefined
    if (!next)
      throw new Error(`${response.status} ${html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]+>/g, ' ')}`)
    url = new URL(next.action, url)
    form = next
  }
  throw new Error('The provider redirects in circles.')
}
