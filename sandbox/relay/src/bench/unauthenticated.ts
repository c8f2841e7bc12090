/** CPU time of requests without authority: bodies and headers that cost a relay the most before it refuses them. */
import { randomUUID } from 'node:crypto'
import { signJws } from '../authority/jws.js'
import { sha256 } from '../crypto/jwk.js'
import { BODY_BYTES, LARGE_BODY_BYTES } from '../http/route.js'
import { newKey, type RelayProcess, startRelayProcess } from './relay-process.js'

const ID = '11111111-1111-4111-8111-111111111111'
/** Number of requests at a time, as from a few connections that stay open. */
const SIDE_BY_SIDE = 8

interface Attack {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function filled(part: string, bytes: number): string {
  return `[${Array(Math.floor((bytes - 2) / (part.length + 1)))
    .fill(part)
    .join()}]`
}

/** Returns each attack by its name. */
function getAttacks({ base, token }: RelayProcess): Readonly<Record<string, Attack>> {
  const key = newKey()
  const iat = Math.floor(Date.now() / 1000)
  const claims = { aud: ['R1'], env: 'local', sub: 'bench', op: 'signMessage', wallet: ID, set: ID, epoch: 0, hash: '' }
  const device = (body: string, more: object = {}) =>
    signJws(
      { typ: 'keybay-device+jwt' },
      { ...claims, signers: [], bh: sha256(body), iat, jti: randomUUID(), ...more },
      key,
    )
  const forged = `${token.slice(0, -86)}${'A'.repeat(86)}`
  const large = filled('{}', LARGE_BODY_BYTES)
  const short = filled('{}', BODY_BYTES)
  const sign = `${base}/wallets/${ID}/sign`
  const signers = Array(2_500).fill(0)
  return {
    'no authority, 128 KiB of [{},{},…]': { path: sign, headers: {}, body: large },
    'forged token, 128 KiB of [{},{},…]': { path: sign, headers: { authorization: `Bearer ${forged}` }, body: large },
    'a delegate’s forged signature over 8 KiB of [{},{},…]': {
      path: sign,
      headers: { 'x-keybay-device': device(short) },
      body: short,
    },
    'a delegate’s forged signature with 2,500 wrong signers': {
      path: sign,
      headers: { 'x-keybay-device': device('', { signers }) },
      body: '',
    },
    'an unknown path, 128 KiB of [{},{},…]': { path: `${base}/${ID}`, headers: {}, body: large },
  }
}

/**
 * Measures the CPU time of each attack at a warm relay: the best run, since other load can only raise it. Linux only.
 *
 * @returns ms of CPU per request, by the attack's name
 * @throws Error when the relay does not start or accepts an attack
 */
export async function measureUnauthenticated(rounds: number): Promise<Readonly<Record<string, number>>> {
  const relay = await startRelayProcess()
  const run = async ({ path, headers, body }: Attack): Promise<number> => {
    const before = relay.processorTime()
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
    const each = Math.ceil(rounds / SIDE_BY_SIDE)
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (let sent = 0; sent < each; sent++) {
          const response = await fetch(path, init)
          await response.arrayBuffer()
          if (response.status < 400 || response.status >= 500) throw new Error(`The relay answered ${response.status}`)
        }
      }),
    )
    return ((relay.processorTime() - before) * 1000) / (each * SIDE_BY_SIDE)
  }
  try {
    const costs: Record<string, number> = {}
    for (const [name, attack] of Object.entries(getAttacks(relay))) {
      await run(attack)
      costs[name] = Math.min(await run(attack), await run(attack))
    }
    return costs
  } finally {
    await relay.stop()
  }
}
