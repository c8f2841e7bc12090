/** Creates the API token that the relays send to the API, once for each API. */
import type { Api } from '@keybay/sandbox-api'

const tokens = new Map<Api, Promise<string>>()

export function makeApiToken(api: Api): Promise<string> {
  const known = tokens.get(api)
  if (known) return known
  const made = fetch(`${api.internalUrl}/sdk/local/api-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'relay' }),
  })
    .then(response => response.json())
    .then(({ token }: { readonly token: string }) => token)
  tokens.set(api, made)
  return made
}
