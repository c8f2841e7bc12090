/** Lays out every page: plain HTML, no script, light and dark. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'

const STYLE = `:root{color-scheme:light dark;--line:#8886;--ground:Canvas;--text:CanvasText;--accent:#0b57d0}
@media (prefers-color-scheme:dark){:root{--accent:#a8c7fa}}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.35rem;margin:0 0 .25rem}
p{margin:.25rem 0 1rem}
ul{list-style:none;margin:0 0 1rem;padding:0;display:grid;gap:.5rem}
button{display:block;box-sizing:border-box;width:100%;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.6rem;background:transparent;color:inherit;font:inherit;text-align:start;cursor:pointer}
button:hover{border-color:var(--accent)}
button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
button small{display:block;opacity:.75}
.quiet{text-align:center}
code{overflow-wrap:anywhere}`

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
