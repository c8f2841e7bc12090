/** Lays out every page: plain HTML, no script, light and dark. */
import { createHash } from 'node:crypto'
import { PAGE_STYLE } from '@keybay/sandbox-service/page-style'
import { html, raw } from 'hono/html'

const STYLE = `${PAGE_STYLE}
main { max-width: 26rem; margin: 0 auto }
h1 { font-size: 1.35rem; margin: 0 0 .25rem }
p { margin: .25rem 0 1rem }
ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .5rem }
button { display: block; box-sizing: border-box; width: 100%; padding: .6rem .8rem; text-align: start }
button small { display: block; font-weight: 400 }
.quiet { text-align: center }`

const styleHash = createHash('sha256').update(STYLE).digest('base64')

export type Html = ReturnType<typeof html>

export function page(title: string, body: Html): Html {
  return html`${raw('<!doctype html>')}<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${raw(STYLE)}</style></head><body><main>${body}</main></body></html>`
}

/** No page loads or runs anything. The targets of forms are not limited, because the redirect after them leaves the origin. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export async function htmlResponse(
  content: Html,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return new Response(await content, { status, headers: { ...pageHeaders, ...headers } })
}

export function errorPage(provider: string, error: string, description: string): Promise<Response> {
  const content = page(
    `${provider}: not possible`,
    html`<h1>This sign-in is not possible</h1><p role="alert">${description}</p><p><code>${error}</code></p>
<p>The app that sent you here must be set right. You can close this window.</p>`,
  )
  return htmlResponse(content, { status: 400 })
}
