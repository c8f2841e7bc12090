/** Keeps the phrase that proves the wallet's windows to the user. */
import type { Database, Stores } from './database.js'

interface KeptPhrase {
  /** The words, each as its index. */
  readonly bytes: Uint8Array
  /** True once a window showed the phrase. */
  readonly isShown: boolean
}
export interface Phrases {
  /** Returns the phrase for a window that shows it, and makes it if the user has none. */
  phrase(user: string): Promise<{ readonly bytes: Uint8Array; readonly isNew: boolean }>
}

/** 256 words to choose from: about 16.8 million phrases. */
const PHRASE_WORDS = 3

function newPhrase(isShown: boolean): KeptPhrase {
  return { bytes: crypto.getRandomValues(new Uint8Array(PHRASE_WORDS)), isShown }
}

/** Makes the phrase with the user's first share in this browser, in the transaction that stores the share. */
export function addPhrase({ phrases }: Stores, user: string): void {
  const reading: IDBRequest<KeptPhrase | undefined> = phrases.get(user)
  reading.onsuccess = () => {
    if (!reading.result) phrases.put(newPhrase(false), user)
  }
}

export function openPhrases(database: Database): Phrases {
  return {
    async phrase(user) {
      const made = newPhrase(true)
      const known = await database.run('readwrite', ({ phrases }) => {
        const reading: IDBRequest<KeptPhrase | undefined> = phrases.get(user)
        reading.onsuccess = () => {
          if (!reading.result?.isShown) phrases.put({ ...made, ...reading.result, isShown: true }, user)
        }
        return reading
      })
      return { bytes: known?.bytes ?? made.bytes, isNew: !known?.isShown }
    },
  }
}
