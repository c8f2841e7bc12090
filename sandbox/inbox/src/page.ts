/** The web pages of the inbox. */
import { html, raw } from 'hono/html'
import type { Message } from './store.js'

type Html = ReturnType<typeof html>

/** Headers that allow no script; a mail's own HTML is shown in a frame that may do nothing and load nothing. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; flex-wrap: wrap }
ul { list-style: none; padding: 0 }
li a { display: block; padding: .75rem; border-bottom: 1px solid #8886; color: inherit; text-decoration: none }
li a:hover, li a:focus-visible { background: #8882 }
small { opacity: .75 }
li code { font-size: 1.125rem; font-weight: 600 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; background: #8881; border-radius: .5rem; font-size: 1rem }
iframe { width: 100%; height: 24rem; border: 1px solid #8886; border-radius: .5rem; background: #fff }
button { font: inherit; padding: .4rem .9rem }
dt { float: left; min-width: 5rem; opacity: .75 }`

const DOCTYPE = raw('<!doctype html>')

function page(title: string, body: Html): Html {
  return html`${DOCTYPE}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${raw(STYLE)}</style></head><body>${body}</body></html>`
}

function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 19)}</time>`
}

/** One-time codes of the sandbox have six digits. */
const CODE = /(?<!\d)\d{6}(?!\d)/

function row({ id, kind, to, subject, text, receivedAt }: Message): Html {
  const [code] = CODE.exec(text) ?? []
  const shownCode = code === undefined ? '' : html` <code>${code}</code>`
  return html`<li><a href="/messages/${id}"><strong>${to.join(', ')}</strong> <small>${kind === 'sms' ? 'SMS' : 'Mail'} · ${time(receivedAt)}</small><br>${(subject || text).slice(0, 120)}${shownCode}</a></li>`
}

export function listPage(messages: readonly Message[], to: string | undefined): Html {
  const heading = to ? `Inbox of ${to}` : 'Inbox'
  const clear = html`<form method="post" action="/clear"><button>Delete all</button></form>`
  const all = html`<p><a href="/">All messages</a></p>`
  const list = messages.length
    ? html`<ul>${messages.map(row)}</ul>`
    : html`<p>Nothing yet. Mail and SMS of the sandbox arrive here.</p>`
  return page(
    heading,
    html`<header><h1>${heading}</h1>${messages.length ? clear : ''}</header>${to ? all : ''}<main>${list}</main>`,
  )
}

export function messagePage({ id, kind, to, from, subject, text, html: mailHtml, receivedAt }: Message): Html {
  const name = kind === 'sms' ? 'SMS' : 'Mail'
  const frame = html`<h2>HTML</h2><iframe sandbox title="The mail as HTML" src="/messages/${id}/html"></iframe>`
  return page(
    subject || name,
    html`<p><a href="/">Inbox</a></p><main><h1>${subject || (kind === 'sms' ? 'SMS' : 'No subject')}</h1>
<dl><dt>To</dt><dd>${to.join(', ')}</dd><dt>From</dt><dd>${from}</dd><dt>Received</dt><dd>${time(receivedAt)}</dd></dl>
<pre>${text}</pre>${mailHtml === undefined ? '' : frame}
<form method="post" action="/messages/${id}/delete"><button>Delete</button></form></main>`,
  )
}

export function missingPage(): Html {
  return page('Not found', html`<main><h1>Not found</h1><p>This message is not here. <a href="/">Inbox</a></p></main>`)
}
