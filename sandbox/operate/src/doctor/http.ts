/** Requests of the doctor: without credentials, redirects and caches, each with a time-out. */

/** Time for one request, in ms: less than a check has. */
const TIMEOUT_MS = 6_000

export function request(url: string, options: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...options })
}

/** Returns the JSON of a 200. @throws Error that names the address */
export async function getJson(url: string): Promise<unknown> {
  const response = await request(url)
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}.`)
  return response.json()
}

export function postJson(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  return request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
