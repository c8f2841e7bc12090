/** The web pages of the inbox. */
import { createHash } from 'node:crypto'
import { PAGE_STYLE } from '@keybay/sandbox-service/page-style'
import { html, raw } from 'hono/html'
import type { Message } from './store.js'

type Html = ReturnType<typeof html>

/** Copies the code of a button. The only script of these pages. */
const COPY = `document.addEventListener('click', ({ target }) => {
  const { copy } = target.dataset ?? {}
  if (copy) navigator.clipboard.writeText(copy).then(() => { target.textContent = 'Copied' }, () => { target.textContent = copy })
})`
export const COPY_SCRIPT: string = `<script>${COPY}</script>`
const copyHash = createHash('sha256').update(COPY).digest('base64')

/** Headers that allow one script; a mail's own HTML is shown in a frame that may do nothing and load nothing. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; script-src 'sha256-${copyHash}'; style-src 'self' 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  // With `no-referrer` the inbox's own forms would have the origin `null`, which it refuses.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

const STYLE = `${PAGE_STYLE}
nav { margin-block: 1rem }
header { display: flex; gap: 1rem; align-items: center; justify-content: space-between; flex-wrap: wrap }
ul { list-style: none; padding: 0; margin: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
li { display: flex; align-items: center; flex-wrap: wrap }
li + li { border-top: 1px solid var(--line) }
li a { flex: 1 1 16rem; min-width: 0; padding: .875rem 1rem; color: inherit; text-decoration: none; overflow-wrap: anywhere }
li a:hover { background: var(--wash) }
li button { margin: .5rem 1rem }
small { float: inline-end; margin-inline-start: 1rem }
li code { padding: .125rem .5rem; border-radius: 8px; background: var(--wash); color: var(--accent); font-size: 1.125rem; font-weight: 600 }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 1rem }
dd { margin: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; font: inherit }
iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: 12px; background: #fff }`

const DOCTYPE = raw('<!doctype html>')

function page(title: string, body: Html): Html {
  return html`${DOCTYPE}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${raw(STYLE)}</style></head><body>${body}${raw(COPY_SCRIPT)}</body></html>`
}

function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 19)}</time>`
}

/** One-time codes of the sandbox have six digits. */
const CODE = /(?<!\d)\d{6}(?!\d)/

function row({ id, kind, to, subject, text, receivedAt }: Message): Html {
  const [code] = CODE.exec(text) ?? []
  const shownCode = code === undefined ? '' : html` <code>${code}</code>`
  const copy = code === undefined ? '' : html`<button data-copy="${code}" aria-live="polite">Copy code</button>`
  return html`<li><a href="/messages/${id}"><strong>${to.join(', ')}</strong> <small>${kind === 'sms' ? 'SMS' : 'Mail'} · ${time(receivedAt)}</small><br>${(subject || text).slice(0, 120)}${shownCode}</a>${copy}</li>`
}

export function listPage(messages: readonly Message[], to: string | undefined): Html {
  const heading = to ? `Inbox of ${to}` : 'Inbox'
  const clear = html`<form method="post" action="/clear"><button>Delete all</button></form>`
  const all = html`<nav><a href="/">All messages</a></nav>`
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
    html`<nav><a href="/">Inbox</a></nav><main><h1>${subject || (kind === 'sms' ? 'SMS' : 'No subject')}</h1>
<dl><dt>To</dt><dd>${to.join(', ')}</dd><dt>From</dt><dd>${from}</dd><dt>Received</dt><dd>${time(receivedAt)}</dd></dl>
<pre>${text}</pre>${mailHtml === undefined ? '' : frame}
<form method="post" action="/messages/${id}/delete"><button>Delete</button></form></main>`,
  )
}

export function missingPage(): Html {
  return page('Not found', html`<main><h1>Not found</h1><p>This message is not here. <a href="/">Inbox</a></p></main>`)
}
