/**
 * Describes what each participant holds, for failures that are read in a log. Contains epochs and states, and no
 * secrets.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '@keybay/sandbox-service/database'
import type { Page } from 'playwright-core'
import { getFrame } from '../world.js'
import type { Stack } from './stack.js'

/** Formats an error in one line. */
export function getReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
  const actual: unknown = Reflect.get(Object(cause), 'actual')
  return actual === undefined ? `${message}` : `${message}: ${JSON.stringify(actual)}`
}

async function heldByFrame(page: Page): Promise<string> {
  return (await getFrame(page, 'hidden')).evaluate(async () => {
    const opening = indexedDB.open('keybay-waas:local')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const reading = database.transaction('sets').objectStore('sets').getAll()
    const sets = await new Promise<readonly object[]>((resolve, reject) => {
      reading.onsuccess = () => resolve(reading.result)
      reading.onerror = () => reject(reading.error)
    })
    database.close()
    const getEpoch = (holder: unknown): unknown => Reflect.get(Object(Reflect.get(Object(holder), 'share')), 'epoch')
    return sets
      .map(set => {
        const field = (name: string): unknown => Reflect.get(set, name)
        const pending = field('pending') ? `, pending ${getEpoch(field('pending'))}` : ''
        const creation = field('creation') ? ', not made yet' : ''
        return `${field('kind')} ${String(field('setId')).slice(0, 4)} ${field('scheme')} at ${getEpoch(set)}${pending}${creation}`
      })
      .join('; ')
  })
}

const RELAY_MIGRATIONS = new URL(
  '../migrations',
  pathToFileURL(createRequire(import.meta.url).resolve('@keybay/sandbox-relay')),
)
const SETS =
  "select left(id, 4) || ' at ' || epoch || ' ' || status || case when frozen_at is null then '' else ' frozen' end as text from share_sets order by created_at"
const CEREMONIES =
  "select kind || ' of ' || left(set_id, 4) || ' ' || step as text from ceremonies where step <> 'done' order by expires_at"
/** Of a relay that is down. @param dataDir its database's */
async function heldByRelay(dataDir: string): Promise<string> {
  const { query, close } = await openDatabase(
    { schema: {}, migrations: RELAY_MIGRATIONS, migrationLock: 1 },
    { dataDir },
  )
  try {
    const rows = [...(await query(SETS, [])), ...(await query(CEREMONIES, []))]
    return rows.map(row => String(Reflect.get(Object(row), 'text'))).join('; ')
  } finally {
    await close()
  }
}

/** @returns a line for each participant; stops the relays for a moment and restarts them */
export async function heldBy(stack: Stack, page: Page): Promise<string> {
  const lines = [`frame: ${await heldByFrame(page).catch(String)}`]
  for (const name of ['R1', 'R2'] as const) {
    const service = stack.services[name]
    await service.kill()
    lines.push(`${name}: ${await heldByRelay(stack.relayData[name]).catch(String)}`)
    await service.start()
  }
  return lines.join('\n')
}
