/** Uses the API of the sandbox, with tokens of its host app: `npm start` in a clone of https://github.com/keybay/keybay. */
export interface Api {
  readonly url: string
  tokenFor(user: string): Promise<string>
  stop(): Promise<void>
}

async function tokenFor(user: string): Promise<string> {
  const response = await fetch('/host-token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  })
  const { token } = await response.json()
  if (typeof token !== 'string') throw new Error(`The sandbox issued no token: status ${response.status}.`)
  return token
}

/** @throws Error if the sandbox does not run */
export async function startApi(): Promise<Api> {
  const url = process.env.KEYBAY_API_URL ?? 'http://localhost:4100/api/v0'
  await tokenFor('ann').catch(cause => {
    throw new Error('The sandbox does not answer. Start it: npm start in a clone of Keybay.', { cause })
  })
  return { url, tokenFor, stop: async () => undefined }
}
