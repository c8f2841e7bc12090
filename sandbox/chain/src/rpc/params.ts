import bs58 from 'bs58'
import { invalidParams } from '../rpc-error.js'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Legacy names that clients may still send. */
const COMMITMENTS: Readonly<Record<string, Commitment>> = {
  processed: 'processed',
  recent: 'processed',
  confirmed: 'confirmed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  finalized: 'finalized',
  max: 'finalized',
  root: 'finalized',
}

/** Describes a value as a node's decoder does, e.g. "integer `5`". */
function describe(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'sequence'
  if (typeof value === 'string') return `string ${JSON.stringify(value.slice(0, 100))}`
  if (typeof value === 'number') return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
  return typeof value === 'boolean' ? `boolean \`${value}\`` : 'map'
}

function invalidType(value: unknown, expected: string): Error {
  return invalidParams(`Invalid params: invalid type: ${describe(value)}, expected ${expected}.`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toInteger(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw invalidType(value, 'u64')
  return value
}

export function toText(value: unknown): string {
  if (typeof value !== 'string') throw invalidType(value, 'a string')
  return value
}

/** @throws RpcError with the message of ParsePubkeyError or ParseSignatureError */
function toKey(value: unknown, size: number): string {
  const text = toText(value)
  if (text.length > size * 2) throw invalidParams('Invalid param: WrongSize')
  const bytes = bs58.decodeUnsafe(text)
  if (!bytes) throw invalidParams('Invalid param: Invalid')
  if (bytes.length !== size) throw invalidParams('Invalid param: WrongSize')
  return text
}

export function toPubkey(value: unknown): string {
  return toKey(value, 32)
}

export function toSignature(value: unknown): string {
  return toKey(value, 64)
}

/** Reads a list of at most `max` items. @throws RpcError -32602 */
export function toList(value: unknown, max: number, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidType(value, 'a sequence')
  if (value.length > max) throw invalidParams(`Too many inputs provided; max ${max}${name && ` ${name}`}`)
  return value
}

/** Positional parameters of a call; each getter checks the type. */
export class Params {
  readonly #list: readonly unknown[]

  /** @throws RpcError -32602 when `params` is neither a list nor absent, or too short */
  constructor(params: unknown, required: number) {
    if (params !== undefined && params !== null && !Array.isArray(params)) throw invalidType(params, 'a tuple')
    this.#list = params ?? []
    if (this.#list.length < required) {
      throw invalidParams(`\`params\` should have at least ${required} argument(s)`)
    }
  }

  value(index: number): unknown {
    return this.#list[index]
  }

  has(index: number): boolean {
    return this.#list[index] !== undefined && this.#list[index] !== null
  }

  text(index: number): string {
    return toText(this.#list[index])
  }

  pubkey(index: number): string {
    return toPubkey(this.#list[index])
  }

  signature(index: number): string {
    return toSignature(this.#list[index])
  }

  integer(index: number): number {
    return toInteger(this.#list[index])
  }

  /** Returns the configuration object of a call; empty when absent. */
  config(index: number): Config {
    const value = this.#list[index]
    if (value === undefined || value === null) return new Config({})
    if (!isObject(value)) throw invalidType(value, 'a map')
    return new Config(value)
  }
}

/** Configuration object of a call; unknown members are ignored, as on a node. */
export class Config {
  readonly #members: Readonly<Record<string, unknown>>
  constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members
  }

  static of(value: unknown): Config {
    if (!isObject(value)) throw invalidType(value, 'a map')
    return new Config(value)
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? undefined) : undefined
  }

  flag(name: string): boolean {
    const value = this.value(name) ?? false
    if (typeof value !== 'boolean') throw invalidType(value, 'a boolean')
    return value
  }

  integer(name: string): number | undefined {
    const value = this.value(name)
    return value === undefined ? undefined : toInteger(value)
  }

  text(name: string): string | undefined {
    const value = this.value(name)
    return value === undefined ? undefined : toText(value)
  }

  nested(name: string): Config | undefined {
    const value = this.value(name)
    return value === undefined ? undefined : Config.of(value)
  }

  commitment(name = 'commitment'): Commitment {
    return toCommitment(this.value(name))
  }

  /** Returns one of `allowed`, or `fallback` when absent. */
  choice<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.value(name)
    if (value === undefined) return fallback
    return toChoice(value, allowed)
  }
}

export function toChoice<T extends string>(value: unknown, allowed: readonly T[]): T {
  const text = toText(value)
  const match = allowed.find(choice => choice === text)
  if (match !== undefined) return match
  const choices = allowed.map(choice => `\`${choice}\``).join(', ')
  throw invalidParams(`Invalid params: unknown variant \`${text.slice(0, 100)}\`, expected one of ${choices}.`)
}

/** Defaults to finalized, as on a node. */
function toCommitment(value: unknown): Commitment {
  if (value === undefined || value === null) return 'finalized'
  const text = toText(value)
  const commitment = Object.hasOwn(COMMITMENTS, text) ? COMMITMENTS[text] : undefined
  if (commitment) return commitment
  throw invalidParams(
    `Invalid params: unknown variant \`${text.slice(0, 100)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
  )
}
