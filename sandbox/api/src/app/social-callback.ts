/** Receives a provider's form (`form_post`, Apple). The form is worthless without the secrets of the flow. */
import * as v from 'valibot'
import type { Environment } from '../environments.js'
import { ApiError, invalidRequest, notFound } from '../http/errors.js'
import type { Services } from '../services.js'
import { flowOfState, keepForm } from '../social/flow.js'

const text = v.optional(v.pipe(v.string(), v.maxLength(8192)))
const formSchema = v.object({ state: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)), code: text, error: text, user: text })

function json(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/**
 * Returns the page to redirect to; code, state and error are in the fragment, which no server sees.
 * @throws ApiError `invalid_request`, `not_found`
 */
export async function continueFlow(
  context: { readonly services: Services; readonly environment: Environment },
  provider: string,
  body: string,
): Promise<string> {
  const active = context.services.social.get(provider)?.provider
  if (active?.protocol !== 'oauth2' || !active.formPost) throw new ApiError(notFound)
  const form = v.safeParse(formSchema, Object.fromEntries(new URLSearchParams(body)))
  if (!form.success) throw new ApiError(invalidRequest)
  const { state, user, ...rest } = form.output
  const flow = await flowOfState(context, provider, state)
  if (!flow) throw new ApiError(notFound)
  // The first form counts, so a party that sees the state later cannot change it.
  if (user !== undefined && flow.data.form === undefined) {
    const { hashes } = context.services
    const sealed = hashes.seal(Buffer.from(JSON.stringify({ user: json(user) })), `social form ${state}`)
    await keepForm(context, flow.id, { ...flow.data, form: sealed })
  }
  const said = Object.entries({ state, ...rest }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${flow.data.redirectUrl}#${new URLSearchParams(said)}`
}
