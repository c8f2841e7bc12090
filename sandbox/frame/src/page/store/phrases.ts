/** Keeps the phrase that proves the wallet's windows to the user. */
import type { Database } from './database.js'

export interface Phrases {
  /** @param made the phrase to keep if the user has none */
  phrase(user: string, made: string): Promise<{ readonly phrase: string; readonly isNew: boolean }>
}

export function openPhrases(database: Database): Phrases {
  return {
    async phrase(user, made) {
      const known = await database.run('readwrite', ({ phrases }) => {
        const reading: IDBRequest<string | undefined> = phrases.get(user)
        reading.onsuccess = () => {
          if (reading.result === undefined) phrases.put(made, user)
        }
        return reading
      })
      return { phrase: known ?? made, isNew: known === undefined }
    },
  }
}
