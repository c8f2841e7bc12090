/** The page on which a user lets an app use their drive: which account, what for, or not at all. */
import type { Context, Hono } from 'hono'
import { errorPage, escapeHtml, page, pageHeaders } from '../pages/layout.js'
import { fullName, PEOPLE, type Person, personOf } from '../people.js'
import type { Payload } from '../records.js'
import type { Services } from '../services.js'

const PAGE_SECONDS = 1800

export interface GrantPage {
  /** Of its paths, e.g. `drive`. */
  readonly id: string
  /** As people call it. */
  readonly name: string
  /** What the app may do then, in the user's words. */
  readonly scope: string
  /** Where the browser goes on to. `undefined`: the user said no. */
  readonly answer: (person: Person | undefined, kept: Payload) => Promise<string>
}

function entry(person: Person): string {
  return `<li><button name="person" value="${escapeHtml(person.key)}"><span>${escapeHtml(fullName(person) ?? person.username)}</span>
<small>${escapeHtml(person.email)}</small></button></li>`
}

/** @returns shows the page; what is kept comes back with the choice; whose address is hinted at stands first */
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
    return go(await answer(personOf(person), kept))
  })
  return async (kept, hint) => {
    const people = PEOPLE.toSorted((one, other) => Number(other.email === hint) - Number(one.email === hint))
    if (services.faults.of(id).returns === 'denied') return go(await answer(undefined, kept))
    const action = `/${id}/grant/${await services.records.put(`${id}/grant-page`, kept, PAGE_SECONDS)}`
    return new Response(
      page(
        `Allow access · ${name}`,
        `<h1>Keybay wants to use ${escapeHtml(name)}</h1><p>${escapeHtml(scope)}</p>
<p>Choose the account that it may use. These people are made up: this is a sandbox.</p>
<form method="post" action="${escapeHtml(action)}"><ul aria-label="Accounts">${people.map(entry).join('')}</ul>
<button class="quiet" name="deny" value="yes">Deny</button></form>`,
      ),
      { headers: pageHeaders },
    )
  }
}
