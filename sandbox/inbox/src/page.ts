/** The web page: plain HTML from strings, so every value goes through `escapeHtml`. */
import type { Message } from './message.js'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPES[character] ?? '')
}

/** No script at all; a mail's own HTML is shown in a frame that may do nothing and load nothing. */
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
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; background: #8881; border-radius: .5rem; font-size: 1rem }
iframe { width: 100%; height: 24rem; border: 1px solid #8886; border-radius: .5rem; background: #fff }
button { font: inherit; padding: .4rem .9rem }
dt { float: left; min-width: 5rem; opacity: .75 }`

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`
}

function time(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.replace('T', ' ').slice(0, 19))}</time>`
}

function row({ id, kind, to, subject, text, receivedAt }: Message): string {
  return `<li><a href="/messages/${escapeHtml(id)}"><strong>${escapeHtml(to.join(', '))}</strong> <small>${kind === 'sms' ? 'SMS' : 'Mail'} · ${time(receivedAt)}</small><br>${escapeHtml((subject || text).slice(0, 120))}</a></li>`
}

export function listPage(messages: readonly Message[], to: string | undefined): string {
  const heading = to ? `Inbox of ${to}` : 'Inbox'
  const clear = messages.length ? '<form method="post" action="/clear"><button>Delete all</button></form>' : ''
  const all = to ? '<p><a href="/">All messages</a></p>' : ''
  const list = messages.length
    ? `<ul>${messages.map(row).join('')}</ul>`
    : '<p>Nothing yet. Mail and SMS of the sandbox arrive here.</p>'
  return page(heading, `<header><h1>${escapeHtml(heading)}</h1>${clear}</header>${all}<main>${list}</main>`)
}

export function messagePage({ id, kind, to, from, subject, text, html, receivedAt }: Message): string {
  const facts = [
    ['To', escapeHtml(to.join(', '))],
    ['From', escapeHtml(from)],
    ['Received', time(receivedAt)],
  ].map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
  const frame =
    html === undefined
      ? ''
      : `<h2>HTML</h2><iframe sandbox title="The mail as HTML" src="/messages/${escapeHtml(id)}/html"></iframe>`
  return page(
    subject || (kind === 'sms' ? 'SMS' : 'Mail'),
    `<p><a href="/">Inbox</a></p><main><h1>${escapeHtml(subject || (kind === 'sms' ? 'SMS' : 'No subject'))}</h1>
<dl>${facts.join('')}</dl><pre>${escapeHtml(text)}</pre>${frame}
<form method="post" action="/messages/${escapeHtml(id)}/delete"><button>Delete</button></form></main>`,
  )
}

export function missingPage(): string {
  return page('Not found', '<main><h1>Not found</h1><p>This message is not here. <a href="/">Inbox</a></p></main>')
}
