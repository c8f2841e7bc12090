/** EIP-712. One walk gives the hash and the fields to show, so that nothing is signed that was not shown. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { checksummed, fromHex, invalid, readAddress, toHex } from './address.js'

/** A value as it is hashed: `text` of a single value, or the values inside. */
export interface TypedNode {
  readonly name: string
  readonly type: string
  readonly text?: string
  readonly inside?: readonly TypedNode[]
}
export interface TypedData {
  readonly primaryType: string
  readonly domain: readonly TypedNode[]
  readonly message: readonly TypedNode[]
  /** 32 bytes. */
  readonly digest: Uint8Array
}
interface Member {
  readonly name: string
  readonly type: string
}
type Types = ReadonlyMap<string, readonly Member[]>
interface Walked {
  readonly word: Uint8Array
  readonly node: TypedNode
}

const DOMAIN = 'EIP712Domain'
const DOMAIN_MEMBERS: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,127}$/
const ARRAY = /^(.+)\[(\d{0,6})\]$/
const ATOMIC = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(?:\d{1,3})?)$/
const MAX_TYPES = 100
const MAX_MEMBERS = 1000
const MAX_VALUES = 10_000
const MAX_DEPTH = 24
const NONE = new Uint8Array(32)

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readField(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

function onlyThese(value: object, names: readonly string[], place: string): void {
  if (Object.keys(value).some(name => !names.includes(name))) throw invalid(`${place}: unknown field`)
}

function getBase(type: string): string {
  return type.replace(/(?:\[\d*\])+$/, '')
}

function readTypes(rawTypes: unknown, domain: object): Types {
  if (!isObject(rawTypes) || Object.keys(rawTypes).length > MAX_TYPES) throw invalid('types')
  const types = new Map<string, readonly Member[]>([
    [DOMAIN, DOMAIN_MEMBERS.filter(({ name }) => readField(domain, name) !== undefined)],
  ])
  for (const [name, members] of Object.entries(rawTypes)) {
    if (!IDENTIFIER.test(name) || ATOMIC.test(name) || !Array.isArray(members) || members.length > MAX_MEMBERS)
      throw invalid('types')
    types.set(name, members.map(readMember))
  }
  for (const members of types.values()) {
    if (new Set(members.map(({ name }) => name)).size !== members.length) throw invalid('types: a name twice')
    if (members.some(({ type }) => !types.has(getBase(type)) && !isAtomic(getBase(type))))
      throw invalid('types: unknown')
  }
  if (types.get(DOMAIN)?.some(({ name }) => !DOMAIN_MEMBERS.some(known => known.name === name)))
    throw invalid('types: domain')
  return types
}

function readMember(rawMember: unknown): Member {
  if (!isObject(rawMember)) throw invalid('types')
  const [name, type] = [readField(rawMember, 'name'), readField(rawMember, 'type')]
  if (typeof name !== 'string' || typeof type !== 'string' || !IDENTIFIER.test(name) || type.length > 256)
    throw invalid('types')
  return { name, type }
}

function getBitLength(type: string): number {
  return Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 0)
}

function isAtomic(type: string): boolean {
  if (!ATOMIC.test(type)) return false
  const bits = getBitLength(type)
  return !type.includes('int') || (bits >= 8 && bits <= 256 && bits % 8 === 0 && String(bits) === type.split('int')[1])
}

/** Returns the type with all types that it uses, in the order of the standard. */
function encodeType(types: Types, primary: string): string {
  const names = new Set<string>()
  const follow = (name: string): void => {
    if (names.has(name)) return
    names.add(name)
    for (const { type } of types.get(name) ?? []) if (types.has(getBase(type))) follow(getBase(type))
  }
  follow(primary)
  names.delete(primary)
  return [primary, ...[...names].sort()]
    .map(name => `${name}(${(types.get(name) ?? []).map(member => `${member.type} ${member.name}`).join(',')})`)
    .join('')
}

/** Reads a JSON number, or decimal or hexadecimal text. */
function toNumber(value: unknown, place: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) return BigInt(value)
  throw invalid(`${place}: not a number`)
}
/** Returns 32 bytes; negative numbers as two's complement. */
function integerWord(number: bigint, type: string, place: string): Uint8Array {
  const bits = BigInt(getBitLength(type))
  const [least, most] = type.startsWith('u') ? [0n, 2n ** bits] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n)]
  if (number < least || number >= most) throw invalid(`${place}: not ${type}`)
  return fromHex(`0x${BigInt.asUintN(256, number).toString(16).padStart(64, '0')}`, place)
}

function padded(bytes: Uint8Array, before: boolean): Uint8Array {
  const all = new Uint8Array(32)
  all.set(bytes, before ? 32 - bytes.length : 0)
  return all
}

function readText(value: unknown, place: string): string {
  // Half a surrogate pair has no UTF-8: other bytes would be hashed than shown.
  if (typeof value !== 'string' || /\p{Surrogate}/u.test(value)) throw invalid(`${place}: not text`)
  return value
}

function atomic(type: string, value: unknown, place: string): { readonly word: Uint8Array; readonly text: string } {
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw invalid(`${place}: not bool`)
    return { word: padded(Uint8Array.of(value ? 1 : 0), true), text: String(value) }
  }
  if (type.includes('int')) {
    const number = toNumber(value, place)
    return { word: integerWord(number, type, place), text: number.toString() }
  }
  const text = readText(value, place)
  if (type === 'string') return { word: keccak_256(utf8ToBytes(text)), text }
  if (type === 'address') {
    const bytes = readAddress(text, place)
    return { word: padded(bytes, true), text: checksummed(bytes) }
  }
  const bytes = fromHex(text, place)
  if (type === 'bytes') return { word: keccak_256(bytes), text: toHex(bytes) }
  if (bytes.length !== Number(type.slice('bytes'.length))) throw invalid(`${place}: not ${type}`)
  return { word: padded(bytes, false), text: toHex(bytes) }
}

function createWalk(types: Types) {
  const typeHashes = new Map([...types.keys()].map(name => [name, keccak_256(utf8ToBytes(encodeType(types, name)))]))
  let values = 0
  const struct = (type: string, value: unknown, place: string, depth: number): readonly [Uint8Array, TypedNode[]] => {
    const members = types.get(type) ?? []
    if (!isObject(value)) throw invalid(`${place}: not ${type}`)
    onlyThese(
      value,
      members.map(({ name }) => name),
      place,
    )
    const walked = members.map(member =>
      walk(member, readField(value, member.name), `${place}.${member.name}`, depth + 1),
    )
    const hash = keccak_256(concatBytes(typeHashes.get(type) ?? NONE, ...walked.map(({ word }) => word)))
    return [hash, walked.map(({ node }) => node)]
  }
  const walk = ({ name, type }: Member, value: unknown, place: string, depth: number): Walked => {
    values += 1
    if (values > MAX_VALUES || depth > MAX_DEPTH) throw invalid(`${place}: too much`)
    const [, item, length] = ARRAY.exec(type) ?? []
    if (item !== undefined) {
      if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
        throw invalid(`${place}: not ${type}`)
      const walked = value.map((element: unknown, index) =>
        walk({ name: String(index + 1), type: item }, element, `${place}[${index}]`, depth + 1),
      )
      const word = keccak_256(concatBytes(...walked.map(child => child.word)))
      return { word, node: { name, type, inside: walked.map(child => child.node) } }
    }
    if (!types.has(type)) {
      const { word, text } = atomic(type, value, place)
      return { word, node: { name, type, text } }
    }
    // Like eth-sig-util: a type that contains itself may end with null.
    if (value === undefined || value === null) return { word: NONE, node: { name, type, text: 'none' } }
    const [word, inside] = struct(type, value, place, depth)
    return { word, node: { name, type, inside } }
  }
  return struct
}

/** @example readTypedData(json).digest // what `eth_signTypedData_v4` signs. @throws KeybayError `evm_invalid` */
export function readTypedData(json: string): TypedData {
  const parsed = parse(json)
  if (!isObject(parsed)) throw invalid('typed data')
  onlyThese(parsed, ['types', 'primaryType', 'domain', 'message'], 'typed data')
  const [domain, primaryType] = [readField(parsed, 'domain'), readField(parsed, 'primaryType')]
  if (!isObject(domain)) throw invalid('domain')
  const types = readTypes(readField(parsed, 'types'), domain)
  if (typeof primaryType !== 'string' || primaryType === DOMAIN || !types.has(primaryType)) throw invalid('primaryType')
  const struct = createWalk(types)
  const [separator, domainNodes] = struct(DOMAIN, domain, 'domain', 0)
  const [hash, message] = struct(primaryType, readField(parsed, 'message'), 'message', 0)
  const digest = keccak_256(concatBytes(Uint8Array.of(0x19, 1), separator, hash))
  return { primaryType, domain: domainNodes, message, digest }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw invalid('typed data')
  }
}
