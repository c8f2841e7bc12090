/**
 * Relays of this machine. They create their keys at their first start, so the host requests the keys once over the
 * loopback interface. Elsewhere the keys are in the configuration, because a relay may not vouch for itself.
 */
import type { RecordKey } from '@keybay/waas/relay-client'
import * as v from 'valibot'

export interface RelayKeys {
  readonly recordKeys: readonly RecordKey[]
  readonly sealingKey: string
}
export interface SandboxRelay {
  readonly party: 'R1' | 'R2'
  /** URL in a browser. */
  readonly url: string
  /** @throws Error while the relay does not respond */
  keys(): Promise<RelayKeys>
}

const partySchema = v.object({
  party: v.string(),
  recordKeys: v.array(v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string() })),
  sealingKey: v.string(),
})
const TIMEOUT_MS = 5_000

/** @param ports of R1 and R2 */
export function sandboxRelays(env: NodeJS.ProcessEnv, [first, second]: readonly [number, number]) {
  return [
    relay('R1', env.RELAY_URL ?? `http://localhost:${first}/api/v0`, env.RELAY_INTERNAL_URL),
    relay('R2', env.RELAY2_URL ?? `http://localhost:${second}/api/v0`, env.RELAY2_INTERNAL_URL),
  ]
}

function relay(party: 'R1' | 'R2', url: string, internalUrl = url): SandboxRelay {
  let known: RelayKeys | undefined
  return {
    party,
    url: url.replace(/\/$/, ''),
    async keys() {
      if (known) return known
      const address = `${internalUrl.replace(/\/$/, '')}/party`
      const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
        throw new Error(`The relay ${party} does not answer at ${address}: ${String(error)}`)
      })
      const { success, output } = v.safeParse(partySchema, await response.json().catch(() => undefined))
      if (!response.ok || !success || output.party !== party) throw new Error(`At ${address} is no relay ${party}.`)
      const { recordKeys, sealingKey } = output
      known = { recordKeys, sealingKey }
      return known
    },
  }
}
