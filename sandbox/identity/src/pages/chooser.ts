/** Shows the account chooser, which lists the sandbox's users, and sends the user back to the app. */
import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Payload } from '../records.js'
import type { Services } from '../services.js'
import { displayName, getUser, USERS, type User } from '../users.js'
import { errorPage, type Html, htmlResponse, page, pageHeaders } from './layout.js'

export const PAGE_SECONDS = 1800

export interface ChooserProvider {
  readonly id: string
  readonly name: string
  /** Makes the page one that lets the app use the user's drive: the permission, in the user's words. */
  readonly scope?: string
}

function entry(user: User): Html {
  return html`<li><button name="user" value="${user.key}"><span>${displayName(user)}</span>
<small>${user.email} · ${user.about}</small></button></li>`
}

/** @param hint email address of the account to list first */
export function chooserPage({ name, scope }: ChooserProvider, action: string, hint?: string): Promise<Response> {
  const users = USERS.toSorted((a, b) => Number(b.email === hint) - Number(a.email === hint))
  const heading =
    scope === undefined
      ? html`<h1>Choose an account</h1><p>to continue to <strong>Keybay</strong> with ${name}.`
      : html`<h1>Keybay wants to use ${name}</h1><p>${scope}</p><p>Choose the account that it may use.`
  const body = html`${heading} These users are made up: this is a sandbox.</p>
<form method="post" action="${action}"><ul aria-label="Accounts">${users.map(entry)}</ul>
<button class="quiet" name="cancel" value="yes">${scope === undefined ? 'Cancel' : 'Deny'}</button></form>`
  return htmlResponse(page(`${scope === undefined ? 'Sign in' : 'Allow access'} · ${name}`, body))
}

export function expiredPage({ name }: ChooserProvider): Promise<Response> {
  return errorPage(name, 'expired', 'This page is too old. Begin again in the app.')
}

/** Leaves for the app's page, whose address may have secrets. */
function redirect(location: string): Response {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return new Response(null, { status: 303, headers })
}

/**
 * Mounts a chooser for what is not OAuth with a code.
 * @param chosen returns the next address; without a user, the user declined. It gets what the page stored
 * @returns a function that shows the page
 */
export function mountChooser(
  app: Hono,
  services: Services,
  provider: ChooserProvider,
  chosen: (user: User | undefined, stored: Payload) => Promise<string>,
): (stored: Payload, hint?: string) => Promise<Response> {
  const { id } = provider
  app.post(`/${id}/choose/:id`, async (c: Context) => {
    const stored = await services.records.take(`${id}/page`, c.req.param('id') ?? '')
    if (!stored) return expiredPage(provider)
    return redirect(await chosen(getUser((await c.req.parseBody()).user), stored))
  })
  return async (stored, hint) => {
    if (services.faults.of(id).returns === 'denied') return redirect(await chosen(undefined, stored))
    return chooserPage(
      provider,
      `/${id}/choose/${await services.records.put(`${id}/page`, stored, PAGE_SECONDS)}`,
      hint,
    )
  }
}

/** Returns the page without its query, which these providers leave to the app. */
export function getPage(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}${new URL(url).pathname}` : ''
}

const SUBMIT = 'document.forms[0].submit()'
/** A plain text: a compiler guards this end of a script in a tagged template by a helper that no package has. */
const SCRIPT = `<script>${SUBMIT}</script>`
const submitHash = createHash('sha256').update(SUBMIT).digest('base64')

/** Sends the response to the app by a form (`response_mode=form_post`): by one line of script, or the user's click. */
export function formPostPage(action: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const body = html`<h1>Continue</h1><form method="post" action="${action}">${inputs}<button class="quiet" autofocus>Continue</button></form>
${raw(SCRIPT)}`
  const policy = `${pageHeaders['content-security-policy']}; script-src 'sha256-${submitHash}'`
  return htmlResponse(page('Continue', body), { headers: { 'content-security-policy': policy } })
}
