/** Shows the page on which a user allows or denies an app the use of their drive. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { errorPage, type Html, htmlResponse, page } from '../pages/layout.js'
import { fullName, getPerson, PEOPLE, type Person } from '../people.js'
import type { Payload } from '../records.js'
import type { Services } from '../services.js'

const PAGE_SECONDS = 1800

export interface GrantPage {
  /** Beginning of the page's paths, e.g. `drive`. */
  readonly id: string
  /** Public name. */
  readonly name: string
  /** Permissions of the app, in the user's words. */
  readonly scope: string
  /** Returns the next page of the browser. `undefined`: the user denied. */
  readonly answer: (person: Person | undefined, kept: Payload) => Promise<string>
}

function entry(person: Person): Html {
  return html`<li><button name="person" value="${person.key}"><span>${fullName(person) ?? person.username}</span>
<small>${person.email}</small></button></li>`
}

/** @returns a function that shows the page with the hinted account first; `answer` gets what the page stored */
export function mountGrantPage(
  app: Hono,
  services: Services,
  { id, name, scope, answer }: GrantPage,
): (kept: Payload, hint?: string) => Promise<Response> {
  const go = (location: string) =>
    new Response(null, {
      status: 303,
      headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    })
  app.post(`/${id}/grant/:page`, async (c: Context) => {
    const kept = await services.records.take(`${id}/grant-page`, c.req.param('page') ?? '')
    if (!kept) return errorPage(name, 'expired', 'This page is too old. Begin again in the app.')
    const { person } = await c.req.parseBody()
    return go(await answer(getPerson(person), kept))
  })
  return async (kept, hint) => {
    const people = PEOPLE.toSorted((one, other) => Number(other.email === hint) - Number(one.email === hint))
    if (services.faults.of(id).returns === 'denied') return go(await answer(undefined, kept))
    const action = `/${id}/grant/${await services.records.put(`${id}/grant-page`, kept, PAGE_SECONDS)}`
    const body = html`<h1>Keybay wants to use ${name}</h1><p>${scope}</p>
<p>Choose the account that it may use. These people are made up: this is a sandbox.</p>
<form method="post" action="${action}"><ul aria-label="Accounts">${people.map(entry)}</ul>
<button class="quiet" name="deny" value="yes">Deny</button></form>`
    return htmlResponse(page(`Allow access · ${name}`, body))
  }
}
