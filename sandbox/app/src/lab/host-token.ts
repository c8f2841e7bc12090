/** Fetches a JWT in which the host's server identifies the user. */

/** @param user of the host, e.g. `mara` @throws Error that says what the host answered */
export async function fetchHostToken(user: string, signal: AbortSignal): Promise<string> {
  const response = await fetch('/host-token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
    signal,
  })
  if (!response.ok) throw new Error(await response.text())
  const answer: unknown = await response.json()
  if (typeof answer === 'object' && answer !== null && 'token' in answer && typeof answer.token === 'string')
    return answer.token
  throw new Error('The host gave no token.')
}
