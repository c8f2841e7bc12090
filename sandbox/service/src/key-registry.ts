/**
 * The keys that a database knows, as fingerprints in `facts`: an instance with another key does not start. A key is
 * - `next`: registered, but protects nothing yet;
 * - `used`: the database may hold secrets that only this key opens, or users may hold data that it signed;
 * - `retiring`: a rotation is moving everything to another key. It still opens, but no longer seals.
 */
import { and, eq, like, sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import * as v from 'valibot'
import type { DatabaseOf, Schema } from './database/open.js'

/** Facts that all instances of a database must share. */
export const facts = pgTable('facts', { name: text('name').primaryKey(), value: text('value').notNull() })

/** Returns a fact. The first caller creates it; of two concurrent calls, one wins. */
export async function keepFact<S extends Schema>(
  db: DatabaseOf<S>,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const read = async () => (await db.select().from(facts).where(eq(facts.name, name)))[0]?.value
  const known = await read()
  if (known !== undefined) return known
  const value = await make()
  await db.insert(facts).values({ name, value }).onConflictDoNothing()
  return (await read()) ?? value
}

const keyState = v.picklist(['next', 'used', 'retiring'])
export type KeyState = v.InferOutput<typeof keyState>
export type KeyStates = ReadonlyMap<string, KeyState>

/** Lock number that no other program uses. */
const KEY_LOCK = 4_000_000_001

function getPrefix(name: string): string {
  return `key:${name}:`
}

export interface KeyRegistry {
  /** Returns the registered keys of a name, by fingerprint. */
  states(name: string): Promise<KeyStates>
  set(name: string, fingerprint: string, state: KeyState): Promise<void>
  remove(name: string, fingerprint: string): Promise<void>
}

function getRegistry<S extends Schema>(db: DatabaseOf<S>): KeyRegistry {
  return {
    async states(name) {
      const rows = await db
        .select()
        .from(facts)
        .where(like(facts.name, `${getPrefix(name)}%`))
      return new Map(rows.map(row => [row.name.slice(getPrefix(name).length), v.parse(keyState, row.value)]))
    },
    async set(name, fingerprint, state) {
      const row = { name: getPrefix(name) + fingerprint, value: state }
      await db
        .insert(facts)
        .values(row)
        .onConflictDoUpdate({ target: facts.name, set: { value: state } })
    },
    async remove(name, fingerprint) {
      await db.delete(facts).where(and(eq(facts.name, getPrefix(name) + fingerprint)))
    },
  }
}

/** Runs work on the registry in one transaction, while every other instance and command waits. */
export function lockKeys<S extends Schema, T>(
  db: DatabaseOf<S>,
  work: (registry: KeyRegistry, transaction: DatabaseOf<S>) => Promise<T>,
): Promise<T> {
  return db.transaction(async transaction => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${KEY_LOCK})`)
    return work(getRegistry(transaction), transaction)
  })
}

/** Returns the keys that are not among `fingerprints` although the database holds secrets that only they open. */
export function missingKeys(states: KeyStates, fingerprints: readonly string[]): readonly string[] {
  return [...states].flatMap(([fingerprint, state]) =>
    state === 'next' || fingerprints.includes(fingerprint) ? [] : [fingerprint],
  )
}

/** Registers a key that no instance uses yet. A key that the database knows stays unchanged. */
export async function registerNext(registry: KeyRegistry, name: string, fingerprint: string): Promise<boolean> {
  if ((await registry.states(name)).has(fingerprint)) return false
  await registry.set(name, fingerprint, 'next')
  return true
}
