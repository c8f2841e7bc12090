import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@keybay/sandbox-service'

/** Maximum number of messages; the oldest are dropped. */
const MAX = 500

export interface Filter {
  readonly to?: string | undefined
  /** Whole subject of a mail. */
  readonly subject?: string | undefined
  readonly kind?: MessageKind | undefined
}

interface Waiter {
  readonly filter: Filter
  readonly found: (message: Message) => void
}

function matches({ to, kind, subject }: Filter, message: Message): boolean {
  return (
    (to === undefined || message.to.includes(normalizeRecipient(to))) &&
    (kind === undefined || message.kind === kind) &&
    (subject === undefined || message.subject === subject)
  )
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'id' in value && 'to' in value && Array.isArray(value.to)
}

/** Stores the messages, newest first, in memory and in one file. */
export class MessageStore {
  readonly #file: string | undefined
  readonly #clock: Clock
  #messages: readonly Message[]
  #waiters: readonly Waiter[] = []

  /** Without `dataDir`, an existing folder, no message outlives the process. */
  constructor(clock: Clock, dataDir?: string) {
    this.#clock = clock
    this.#file = dataDir === undefined ? undefined : join(dataDir, 'messages.json')
    this.#messages = this.#load()
  }

  list(filter: Filter = {}): readonly Message[] {
    return this.#messages.filter(message => matches(filter, message))
  }

  get(id: string): Message | undefined {
    return this.#messages.find(message => message.id === id)
  }

  add(arrival: Arrival): Message {
    const message: Message = {
      ...arrival,
      to: arrival.to.map(normalizeRecipient),
      id: randomUUID(),
      receivedAt: new Date(this.#clock.now()).toISOString(),
    }
    this.#replace([message, ...this.#messages].slice(0, MAX))
    for (const waiter of this.#waiters) if (matches(waiter.filter, message)) waiter.found(message)
    return message
  }

  remove(which: (message: Message) => boolean): number {
    const remaining = this.#messages.filter(message => !which(message))
    const removed = this.#messages.length - remaining.length
    if (removed > 0) this.#replace(remaining)
    return removed
  }

  /** Returns the newest match after the message `after`, or waits for the next one until `signal` aborts. */
  async latest(filter: Filter, after: string | undefined, signal?: AbortSignal): Promise<Message | undefined> {
    const [newest] = this.list(filter)
    if ((newest && newest.id !== after) || !signal || signal.aborted) return newest?.id === after ? undefined : newest
    return new Promise(resolve => {
      const done = (message?: Message) => {
        this.#waiters = this.#waiters.filter(other => other !== waiter)
        signal.removeEventListener('abort', aborted)
        resolve(message)
      }
      const aborted = () => done()
      const waiter: Waiter = { filter, found: done }
      this.#waiters = [...this.#waiters, waiter]
      signal.addEventListener('abort', aborted)
    })
  }

  #load(): readonly Message[] {
    if (this.#file === undefined) return []
    try {
      const saved: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      return Array.isArray(saved) ? saved.filter(isMessage) : []
    } catch {
      // No file yet, or a file that a crash left behind: the inbox then starts empty.
      return []
    }
  }

  #replace(messages: readonly Message[]): void {
    this.#messages = messages
    if (this.#file === undefined) return
    // Written to a second file and renamed, so that a crash leaves the old file or the new one. The file holds one-time
    // codes.
    writeFileSync(`${this.#file}.new`, JSON.stringify(messages), { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
  }
}

export type MessageKind = 'mail' | 'sms'

/** Mail or SMS that the inbox stores. */
export interface Message {
  readonly id: string
  readonly kind: MessageKind
  /** Addresses in lower case, or phone numbers. */
  readonly to: readonly string[]
  readonly from: string
  /** Empty for an SMS. */
  readonly subject: string
  readonly text: string
  /** A mail's HTML, exactly as it came: never put it into a page without a sandbox. */
  readonly html?: string
  /** Time of arrival, ISO 8601. */
  readonly receivedAt: string
}

/** A message as it arrives, before it has an id and a time. */
export type Arrival = Omit<Message, 'id' | 'receivedAt'>

/** Returns a mail address in lower case, or a phone number without separators between its digits. */
export function normalizeRecipient(recipient: string): string {
  const trimmed = recipient.trim().toLowerCase()
  return /^\+?[\d\s().-]+$/.test(trimmed) ? trimmed.replace(/[^\d+]/g, '') : trimmed
}
