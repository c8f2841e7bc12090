/** R1's record reaches R2: at once if it can, else with the next request that R1 hands on. */
import type { Call } from '../http/call.js'

/** Never fails, since R2 learns of it later too. @param involved whether R2 has, had or gets a share of the set */
export const showRecord = async ({ services, environment }: Call, record: string, involved: boolean): Promise<void> => {
  if (!involved) return
  await services.peer.tell(environment.id, record).catch((error: unknown) => {
    services.log({ level: 'warn', message: 'the other relay has not seen a record', error: String(error) })
  })
}
