/** The account chooser: who of the sandbox's people is signing in. */
import { createHash } from 'node:crypto'
import { fullName, PEOPLE, type Person } from '../people.js'
import { escapeHtml, page, pageHeaders } from './layout.js'

function entry(person: Person): string {
  const name = fullName(person) ?? person.username
  return `<li><button name="person" value="${escapeHtml(person.key)}"><span>${escapeHtml(name)}</span>
<small>${escapeHtml(person.email)} · ${escapeHtml(person.about)}</small></button></li>`
}

/** @param provider as people call it */
export function chooserPage(provider: string, client: string, action: string): Response {
  return new Response(
    page(
      `Sign in · ${provider}`,
      `<h1>Choose an account</h1><p>to continue to <strong>${escapeHtml(client)}</strong> with ${escapeHtml(provider)}.
These people are made up: this is a sandbox.</p>
<form method="post" action="${escapeHtml(action)}"><ul aria-label="Accounts">${PEOPLE.map(entry).join('')}</ul>
<button class="quiet" name="cancel" value="yes">Cancel</button></form>`,
    ),
    { headers: pageHeaders },
  )
}

const SUBMIT = 'document.forms[0].submit()'
const submitHash = createHash('sha256').update(SUBMIT).digest('base64')

/** The answer goes to the app by a form of this page (`response_mode=form_post`). It needs one line of script, or a press. */
export function formPostPage(action: string, fields: Readonly<Record<string, string>>): Response {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const html = page(
    'Continue',
    `<h1>Continue</h1><form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button class="quiet" autofocus>Continue</button></form>
<script>${SUBMIT}</script>`,
  )
  const policy = pageHeaders['content-security-policy'] ?? ''
  return new Response(html, {
    headers: { ...pageHeaders, 'content-security-policy': `${policy}; script-src 'sha256-${submitHash}'` },
  })
}
