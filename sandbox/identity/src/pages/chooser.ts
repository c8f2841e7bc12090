/** Renders the account chooser, which lists the sandbox's users. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { fullName, PEOPLE, type Person } from '../people.js'
import { type Html, htmlResponse, page, pageHeaders } from './layout.js'

function entry(person: Person): Html {
  return html`<li><button name="person" value="${person.key}"><span>${fullName(person) ?? person.username}</span>
<small>${person.email} · ${person.about}</small></button></li>`
}

/** @param provider its public name */
export function chooserPage(provider: string, client: string, action: string): Promise<Response> {
  const body = html`<h1>Choose an account</h1><p>to continue to <strong>${client}</strong> with ${provider}.
These people are made up: this is a sandbox.</p>
<form method="post" action="${action}"><ul aria-label="Accounts">${PEOPLE.map(entry)}</ul>
<button class="quiet" name="cancel" value="yes">Cancel</button></form>`
  return htmlResponse(page(`Sign in · ${provider}`, body))
}

const SUBMIT = 'document.forms[0].submit()'
const submitHash = createHash('sha256').update(SUBMIT).digest('base64')

/**
 * Sends the response to the app by a form (`response_mode=form_post`): with one line of script, or when the user
 * clicks.
 */
export function formPostPage(action: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const body = html`<h1>Continue</h1><form method="post" action="${action}">${inputs}<button class="quiet" autofocus>Continue</button></form>
<script>${raw(SUBMIT)}</script>`
  const policy = `${pageHeaders['content-security-policy']}; script-src 'sha256-${submitHash}'`
  return htmlResponse(page('Continue', body), { headers: { 'content-security-policy': policy } })
}
