/** A user of custody who signs all the time, and remembers what custody has confirmed. */
import { setTimeout } from 'node:timers/promises'
import { newEnclaveKey } from '@keybay/sandbox-custody/testing/keys'
import { COMPLETED, post, startWorld } from '@keybay/sandbox-custody/testing/world'
import { startBalancer } from '../day/balancer.js'

const SESSION_S = 3_600

type Signed = NonNullable<Parameters<typeof post>[2]>

/** @param databaseUrl an empty database @param pauseMs time between two signatures */
export async function startCustodian(databaseUrl: string, pauseMs: number) {
  const kek = Buffer.alloc(32, 7).toString('base64url')
  const world = await startWorld({ databaseUrl, kek, enclaveKey: newEnclaveKey(), limitFactor: 1_000 })
  const balancer = await startBalancer()
  balancer.targets.add({ port: Number(new URL(world.custody.internalUrl).port), isReady: true })
  const user = await world.user()
  const client = world.clientOf(await world.session(user, SESSION_S))
  /** Confirmed activities, by ID. */
  const confirmed = new Map<string, Signed>()
  /** Sends a request until it is answered. It is one activity, however often it is sent. */
  const submit = async (signed: Signed): Promise<string> => {
    for (;;) {
      const url = `http://127.0.0.1:${balancer.port}`
      const { status, answer } = await post(url, 'submit/sign_raw_payload', signed).catch((error: unknown) => {
        if (error instanceof TypeError) return { status: 0, answer: undefined }
        throw error
      })
      const { activity } = Object(answer)
      if (status === 200 && activity.status === COMPLETED) return activity.id
      if (status !== 0 && status !== 503) throw new Error(`custody: ${status} ${JSON.stringify(answer)}`)
      await setTimeout(status === 0 ? 0 : 2_000)
    }
  }
  return {
    balancer,
    async sign(): Promise<void> {
      const payload = confirmed.size.toString(16).padStart(8, '0')
      const signed = await client.stampSignRawPayload(user.signature(payload))
      const id = await submit(signed)
      if (confirmed.has(id)) throw new Error(`custody signed twice in the activity ${id}`)
      confirmed.set(id, signed)
      await setTimeout(pauseMs)
    },
    /** Sends every confirmed request again: each must be the activity that it was. @returns their number */
    async repeat(): Promise<number> {
      for (const [id, signed] of confirmed)
        if ((await submit(signed)) !== id) throw new Error(`custody has lost the activity ${id}`)
      return confirmed.size
    },
    async stop(): Promise<void> {
      balancer.stop()
      await world.stop()
    },
  }
}
