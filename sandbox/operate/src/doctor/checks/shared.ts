/** Checks that several services need: mail, and nodes of Solana. */
import { smtpTransport } from '@keybay/sandbox-service/mail'
import type { ServiceName } from '../../services.js'
import { type Check, Finding } from '../check.js'
import { getJson, postJson, request } from '../http.js'

/** Time for each step of the mail server, in ms. */
const MAIL_TIMEOUT_MS = 5_000

/** Signs in to the mail server, and sends nothing. */
export function checkMail(service: ServiceName, smtpUrl: string): Check {
  return {
    service,
    name: 'mail',
    remedy: 'Check the host, port, user and password of SMTP_URL, and that this machine may reach the mail server.',
    async run() {
      const transport = smtpTransport(smtpUrl, MAIL_TIMEOUT_MS)
      try {
        await transport.verify()
        return `${new URL(smtpUrl).host} accepts mail.`
      } finally {
        transport.close()
      }
    },
  }
}

export interface Node {
  readonly name: string
  readonly url: string
  /** Empty for a chain of its own. */
  readonly genesisHash: string
}

/** Compares the chain of a node with the expected one. */
export function checkNode(service: ServiceName, { name, url, genesisHash }: Node): Check {
  const { host } = new URL(url)
  return {
    service,
    name: `rpc ${name}`,
    remedy: `Check the address of the node ${host} and its key, and that this machine may reach it.`,
    async run() {
      const response = await postJson(url, { jsonrpc: '2.0', id: 1, method: 'getGenesisHash' })
      const text = await response.text()
      const hash: unknown = response.status === 200 ? Object(JSON.parse(text)).result : undefined
      if (typeof hash !== 'string') throw new Error(`${host} answers ${response.status} without a genesis hash.`)
      if (genesisHash !== '' && hash !== genesisHash)
        throw new Finding(`${host} is a node of another chain.`, `Set the address to a node of ${name}.`)
      return `${host} is a node of this chain.`
    },
  }
}

/** Public keys of a relay. */
export interface PartyKeys {
  readonly recordKeys: readonly object[]
  readonly sealingKey?: string | undefined
}

function sortKeys(keys: readonly object[]): readonly string[] {
  return keys.map(key => ['x', 'y'].map(name => Reflect.get(key, name)).join()).sort()
}

/** Compares the keys that a relay answers with those that were pinned. @throws Error when they differ */
export async function comparePartyKeys(url: string, pinned: PartyKeys): Promise<string> {
  const { recordKeys, sealingKey, party } = Object(await getJson(`${url}/party`))
  const isSame =
    Array.isArray(recordKeys) &&
    sortKeys(recordKeys).join() === sortKeys(pinned.recordKeys).join() &&
    (pinned.sealingKey === undefined || pinned.sealingKey === sealingKey)
  if (!isSame) throw new Error(`${url} has other keys than those that are set here.`)
  return `${url} is ${party}, with the keys that are set here.`
}

/** Returns the origin whose pages may use an address, as a browser learns it. */
export async function readAllowedOrigin(url: string, origin: string): Promise<string | undefined> {
  const response = await request(url, { method: 'OPTIONS', headers: { origin } })
  return response.headers.get('access-control-allow-origin') ?? undefined
}

/** Requires that pages of `origin` may use an address. @throws Error when they may not */
export async function requireCors(url: string, origin: string): Promise<void> {
  const allowed = await readAllowedOrigin(url, origin)
  if (allowed !== origin) throw new Error(`${url} does not allow ${origin}, but ${allowed ?? 'no page'}.`)
}
