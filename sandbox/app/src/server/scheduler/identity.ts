/** Identity of the scheduler: keys that it creates once, and its entry in the relays' list of delegates. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOrWrite, replaceFile } from '@keybay/sandbox-service/secrets'
import { createDelegateKeys, type DelegateKeys, type DelegateListing, listingOf } from '@keybay/waas/delegate'
import * as v from 'valibot'

/** Name that the user sees on the consent screen. */
export const NAME = 'Sandbox scheduler'

const keysSchema: v.GenericSchema<unknown, DelegateKeys> = v.strictObject({
  sealingSecret: v.string(),
  deviceKey: v.strictObject({
    kty: v.literal('EC'),
    crv: v.literal('P-256'),
    x: v.string(),
    y: v.string(),
    d: v.string(),
  }),
})

/** @throws Error when the file has other content */
async function loadKeys(folder: string): Promise<DelegateKeys> {
  // Discarded if keys already exist.
  const fresh = JSON.stringify(await createDelegateKeys())
  return v.parse(keysSchema, JSON.parse(readOrWrite(join(folder, 'delegate-keys.json'), () => fresh)))
}

function listed(file: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

function getKey(entry: unknown): unknown {
  return Reflect.get(Object(entry), 'sealingKey')
}

/** Keeps other entries that the operator added. */
function list(file: string, ownListing: DelegateListing): void {
  const before = listed(file)
  if (before.some(entry => getKey(entry) === ownListing.sealingKey)) return
  replaceFile(file, JSON.stringify([...before, ownListing]))
}

export interface Identity {
  readonly keys: DelegateKeys
  readonly listing: DelegateListing
}
/** @param folder of the app's data; `delegates.json` there is what the sandbox's relays read */
export async function loadIdentity(folder: string): Promise<Identity> {
  const keys = await loadKeys(folder)
  const listing = listingOf(NAME, keys)
  list(join(folder, 'delegates.json'), listing)
  return { keys, listing }
}
