/** Messages to the relays, signed with the API's key, and to custody, stamped with the operator's key. */
import { randomUUID } from 'node:crypto'
import { findByName, mayBeCreated } from '../custody/organizations.js'
import { ApiError, custodyUnavailable, serviceUnavailable } from '../http/errors.js'
import type { Services } from '../services.js'

const TIMEOUT_MS = 10_000

export type InstructionKind = 'block' | 'unblock' | 'erase'
export type MessageKind = InstructionKind | 'export'

export interface OperatorMessage {
  readonly environmentId: string
  readonly userId: string
  readonly kind: MessageKind
}

/** @throws Error when the relay did not take the message */
export async function instructRelay(
  { keys, clock, requestId }: Pick<Services, 'keys' | 'clock' | 'requestId'>,
  url: string,
  { environmentId, userId, kind }: OperatorMessage,
): Promise<unknown> {
  const iat = Math.floor(clock.now() / 1000)
  const claims = { aud: `relay ${environmentId}`, op: kind, sub: userId, jti: randomUUID(), iat }
  const response = await fetch(`${url}/sdk/${environmentId}/operator`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(requestId !== undefined && { 'x-request-id': requestId }) },
    body: JSON.stringify({ message: keys.forEnvironment(environmentId).signOperatorMessage(claims) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`The relay answered ${response.status}`)
  return response.json()
}

/** Asks every relay. @throws ApiError `service_unavailable`, which names a relay that did not answer */
export function askRelays(
  services: Pick<Services, 'keys' | 'clock' | 'relays' | 'requestId'>,
  message: OperatorMessage,
): Promise<unknown[]> {
  const ask = (url: string) =>
    instructRelay(services, url, message).catch(() => {
      throw new ApiError(serviceUnavailable, { service: url })
    })
  return Promise.all(services.relays.map(ask))
}

/** @throws ApiError `custody_unavailable` when custody did not take the message */
export function instructCustody(
  services: Pick<Services, 'custody' | 'db' | 'clock'>,
  { kind, organizationId: known, ...owner }: OperatorMessage & { readonly organizationId: string | null },
): Promise<unknown> {
  return services.custody(async call => {
    const { client, organizationId, timestampMs } = call
    // A creation may have been cut short after custody did its part, or still be under way.
    const isUnderWay = known === null && (await mayBeCreated(services, owner))
    const subOrganizationId = known ?? (await findByName(call, owner))
    if (subOrganizationId === undefined && isUnderWay) throw new ApiError(custodyUnavailable, { reason: 'no answer' })
    if (subOrganizationId === undefined) return undefined
    return client.request('/operator/organizations', { organizationId, subOrganizationId, action: kind, timestampMs })
  })
}
