/** A user of custody who signs all the time, and remembers what custody has confirmed. */
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { newKey } from '@keybay/sandbox-api/operated'
import { apiClient, apiKey, COMPLETED, post, raw, SIGN, SOLANA } from '@keybay/sandbox-custody/testing/world'
import postgres from 'postgres'
import type { Fleet } from './fleet.js'

/** Time until a request is sent again that got an answer, in ms. */
const RETRY_MS = 1_000
/** Requests that are repeated: custody accepts one for 15 minutes. */
const MAX_REPEATED = 20

type Signed = NonNullable<Parameters<typeof post>[2]>

interface Confirmed {
  readonly request: Signed
  readonly signature: string
}

/** Verifies a signature outside of the code that made it. @param key 32 bytes, hex */
function isSigned(key: string, payload: string, signature: string): boolean {
  const x = Buffer.from(key, 'hex').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(payload, 'hex'), publicKey, Buffer.from(signature, 'hex'))
}

function getSignature(activity: object): string {
  const { r = '', s = '' } = Object(Object(Reflect.get(activity, 'result')).signRawPayloadResult)
  return `${r}${s}`
}

/** Makes a wallet at custody, as the API does for its users. @param pauseMs time between two signatures */
export async function startCustodian({ balancers, environments }: Fleet, pauseMs: number) {
  const url = `http://127.0.0.1:${balancers.custody.port}`
  const variables = environments().get('api') ?? {}
  const { CUSTODY_ORGANIZATION_ID: operatorId = '', CUSTODY_API_PUBLIC_KEY: publicKey = '' } = variables
  const privateKey = readFileSync(variables.CUSTODY_API_PRIVATE_KEY_FILE ?? '', 'utf8').trim()
  const key = newKey()
  const request = <T extends string, P>(organizationId: string, type: T, parameters: P) => {
    return { type, timestampMs: String(Date.now()), organizationId, parameters }
  }
  const owner = { userName: 'Custodian', apiKeys: [apiKey(key.publicKey)], authenticators: [], oauthProviders: [] }
  const made = await apiClient(url, { publicKey, privateKey }).createSubOrganization(
    request(operatorId, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 'Custodian',
      rootQuorumThreshold: 1,
      rootUsers: [owner],
      wallet: { walletName: 'Wallet', accounts: [{ ...SOLANA, addressFormat: 'ADDRESS_FORMAT_COMPRESSED' as const }] },
    }),
  )
  const { subOrganizationId = '', wallet } = made.activity.result.createSubOrganizationResultV8 ?? {}
  const address = wallet?.addresses[0] ?? ''
  const client = apiClient(url, key)
  /** Confirmed activities, by ID. */
  const confirmed = new Map<string, Confirmed>()
  /** Sends a request until it is answered. It is one activity, however often it is sent. */
  const submit = async (signed: Signed): Promise<{ readonly id: string; readonly signature: string }> => {
    for (;;) {
      const { status, answer } = await post(url, 'submit/sign_raw_payload', signed).catch((error: unknown) => {
        if (error instanceof TypeError) return { status: 0, answer: undefined }
        throw error
      })
      const { activity } = Object(answer)
      if (status === 200 && activity.status === COMPLETED) return { id: activity.id, signature: getSignature(activity) }
      const isOpen = status === 200 && /CREATED|PENDING/.test(activity.status)
      if (!isOpen && ![0, 429, 503].includes(status)) throw new Error(`custody: ${status} ${JSON.stringify(answer)}`)
      if (status !== 0) await setTimeout(RETRY_MS)
    }
  }
  const sign = async (): Promise<void> => {
    const payload = confirmed.size.toString(16).padStart(8, '0')
    const signed = await client.stampSignRawPayload(request(subOrganizationId, SIGN, raw(address, payload)))
    const { id, signature } = await submit(signed)
    if (confirmed.has(id)) throw new Error(`custody signed twice in the activity ${id}`)
    if (!isSigned(address, payload, signature)) throw new Error(`custody gave a wrong signature in the activity ${id}`)
    confirmed.set(id, { request: signed, signature })
    await setTimeout(pauseMs)
  }
  return {
    sign,
    async live(isOver: () => boolean): Promise<void> {
      while (!isOver()) await sign()
    },
    /** Sends the last confirmed requests again: each must be the activity that it was. @returns their number */
    async repeat(): Promise<number> {
      const recent = [...confirmed].slice(-MAX_REPEATED)
      for (const [id, { request: signed, signature }] of recent) {
        const again = await submit(signed)
        if (again.id !== id || again.signature !== signature) throw new Error(`custody has lost the activity ${id}`)
      }
      return recent.length
    },
    /** Signs once more, and looks for every confirmed activity in the database. @returns their number */
    async check(): Promise<number> {
      await sign()
      const sql = postgres(environments().get('custody')?.CUSTODY_DATABASE_URL ?? '', { max: 1 })
      const rows = await sql<{ id: string; result: object }[]>`
        select id, result from activities where organization_id = ${subOrganizationId} and status = ${COMPLETED}`
      await sql.end()
      const kept = new Map(rows.map(row => [row.id, getSignature(row)]))
      for (const [id, { signature }] of confirmed)
        if (kept.get(id) !== signature) throw new Error(`custody has lost the activity ${id}`)
      return confirmed.size
    },
  }
}
