/** Mounts a page that waits for a user, for providers that do not use OAuth. */
import type { Context, Hono } from 'hono'
import { getPerson, type Person } from '../people.js'
import type { Payload } from '../records.js'
import type { Services } from '../services.js'
import { chooserPage } from './chooser.js'
import { errorPage } from './layout.js'

const PAGE_SECONDS = 1800

export interface Chooser {
  /** Shows the page; `kept` comes back with the choice. */
  show(kept: Payload): Promise<Response>
}

export function mountChooser(
  app: Hono,
  services: Services,
  provider: { readonly id: string; readonly name: string },
  /** `undefined`: the user declined. */
  chosen: (person: Person | undefined, kept: Payload) => Promise<string>,
): Chooser {
  app.post(`/${provider.id}/choose/:id`, async (c: Context) => {
    const kept = await services.records.take(`${provider.id}/page`, c.req.param('id') ?? '')
    if (!kept) return errorPage(provider.name, 'expired', 'This page is too old. Begin again in the app.')
    const { person } = await c.req.parseBody()
    const location = await chosen(getPerson(person), kept)
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  })
  return {
    async show(kept) {
      if (services.faults.of(provider.id).returns === 'denied')
        return new Response(null, { status: 303, headers: { location: await chosen(undefined, kept) } })
      const id = await services.records.put(`${provider.id}/page`, kept, PAGE_SECONDS)
      return chooserPage(provider.name, 'Keybay', `/${provider.id}/choose/${id}`)
    },
  }
}

/** Returns the page without its query, which these providers leave to the app. */
export function getPage(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}${new URL(url).pathname}` : ''
}
