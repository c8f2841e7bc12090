/** Ethereum's signed data, against the examples of the standards and another implementation (micro-eth-signer). */
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { eip191Signer, recoverAddressTyped, Transaction } from 'micro-eth-signer'
import { describe, expect, it } from 'vitest'
import {
  evmAddress,
  personalDigest,
  readEvmTransaction,
  readTypedData,
  type TypedNode,
  toHex,
} from '../../src/evm/index.js'
import * as mpc from '../../src/mpc/index.js'
import { fresh, getPlan, hex, text } from '../mpc/ceremonies.js'

function field(name: string, type: string) {
  return { name, type }
}

/** The example of EIP-712, with its hash and the signature by the key keccak-256("cow"). */
const MAIL = {
  types: {
    EIP712Domain: [
      field('name', 'string'),
      field('version', 'string'),
      field('chainId', 'uint256'),
      field('verifyingContract', 'address'),
    ],
    Person: [field('name', 'string'), field('wallet', 'address')],
    Mail: [field('from', 'Person'), field('to', 'Person'), field('contents', 'string')],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
} as const
const MAIL_DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
const MAIL_SIGNATURE =
  '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c'
const COW = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'

/** micro-eth-signer's types want bigints where JSON has numbers and text. */
function recovered(signature: string, typed: object): unknown {
  return Reflect.apply(recoverAddressTyped, undefined, [signature, typed])
}

const refused = { code: 'evm_invalid' }

function thrown(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
/** A key shared by two parties, combined for one signature like in the frame. */
function dealt(key: Uint8Array) {
  const plan = getPlan('TWO_OF_TWO', { curve: 'secp256k1' })
  const { set, subShares } = mpc.dealScalar(plan, key.slice())
  const shares = () => subShares.map(({ to, secret }) => ({ set, party: to, secret: secret.slice() }))
  return {
    address: evmAddress(mpc.groupKey(set)),
    sign: (digest: Uint8Array) => mpc.reconstructedBackend.sign(shares(), digest),
  }
}

describe('typed data (EIP-712)', () => {
  it('hashes and signs typed data as in the example of EIP-712', () => {
    const { digest, primaryType, domain, message } = readTypedData(JSON.stringify(MAIL))
    expect(toHex(digest)).toBe(MAIL_DIGEST)
    const cow = dealt(keccak_256(text('cow')))
    expect(cow.address).toBe(COW)
    expect(toHex(cow.sign(digest))).toBe(MAIL_SIGNATURE)
    expect(recovered(MAIL_SIGNATURE, structuredClone(MAIL))).toBe(COW)
    expect(primaryType).toBe('Mail')
    expect(domain.map(({ name, text: shown }) => [name, shown])).toEqual(
      Object.entries(MAIL.domain).map(([name, value]) => [name, String(value)]),
    )
    const lines = (nodes: readonly TypedNode[]): unknown =>
      nodes.map(({ name, text: shown, inside }) => [name, inside ? lines(inside) : shown])
    expect(lines(message)).toEqual([
      ['from', Object.entries(MAIL.message.from)],
      ['to', Object.entries(MAIL.message.to)],
      ['contents', 'Hello, Bob!'],
    ])
  })

  it('hashes typed data of every kind of type like another implementation', () => {
    const types = {
      Leaf: [field('id', 'bytes32'), field('short', 'bytes3'), field('data', 'bytes'), field('yes', 'bool')],
      Tree: [
        field('leaves', 'Leaf[]'),
        field('pair', 'uint8[2]'),
        field('grid', 'int16[][2]'),
        field('amount', 'uint256'),
        field('debt', 'int256'),
        field('owner', 'address'),
        field('note', 'string'),
      ],
    }
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex)
    const leaf = fc.record({
      id: bytes(32),
      short: bytes(3),
      data: fc.uint8Array({ maxLength: 70 }).map(toHex),
      yes: fc.boolean(),
    })
    const small = fc.integer({ min: -32768, max: 32767 })
    const message = fc.record({
      leaves: fc.array(leaf, { maxLength: 4 }),
      pair: fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => [String(a), String(b)]),
      grid: fc
        .tuple(fc.array(small, { maxLength: 3 }), fc.array(small, { maxLength: 3 }))
        .map(rows => rows.map(row => row.map(String))),
      amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
      debt: fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n }).map(String),
      owner: bytes(20),
      note: fc.string({ unit: 'grapheme', maxLength: 40 }),
    })
    const cow = dealt(keccak_256(text('cow')))
    fc.assert(
      fc.property(message, value => {
        const typed = {
          types,
          primaryType: 'Tree' as const,
          domain: { name: 'Grove', salt: `0x${'5a'.repeat(32)}` },
          message: value,
        }
        const signature = toHex(cow.sign(readTypedData(JSON.stringify(typed)).digest))
        expect(recovered(signature, typed)).toBe(COW)
      }),
      { numRuns: 40 },
    )
  })

  const other = (fields: object) => JSON.stringify({ ...MAIL, ...fields })
  const edit = (part: 'types' | 'domain' | 'message', fields: object) => other({ [part]: { ...MAIL[part], ...fields } })
  it.each<[string, string]>([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['another field beside', other({ more: {} })],
    ['a field that the types do not name', edit('message', { hidden: '1' })],
    ['a field that is missing', edit('message', { contents: undefined })],
    ['a type that is not there', edit('types', { Mail: [field('from', 'Missing')] })],
    ['a name twice', edit('types', { Person: [field('name', 'string'), field('name', 'string')] })],
    ['a type with the name of an atomic one', edit('types', { uint256: [] })],
    ['a name that could close a type', edit('types', { 'Mail(string a)': [] })],
    ['an alias', edit('types', { Person: [field('name', 'uint')] })],
    ['a wrong width', edit('types', { Person: [field('name', 'uint12')] })],
    ['the domain as what is signed', other({ primaryType: 'EIP712Domain' })],
    ['a member of Object', other({ primaryType: 'toString' })],
    ['a negative uint', edit('domain', { chainId: -1 })],
    ['a number that JSON has rounded', JSON.stringify(MAIL).replace('"chainId":1,', '"chainId":9007199254740993,')],
    ['a wrong checksum', edit('message', { from: { ...MAIL.message.from, wallet: COW.replace('CD2a', 'cD2a') } })],
    ['half a surrogate pair', edit('message', { contents: '\ud800' })],
  ])('refuses typed data with %s', (_, json) => {
    expect(thrown(() => readTypedData(json))).toMatchObject(refused)
  })

  it('refuses endlessly nested typed data quickly', () => {
    const deep = Array.from({ length: 200 }).reduce<unknown>(inside => ({ inside }), null)
    const types = { Knot: [{ name: 'inside', type: 'Knot' }] }
    const typed = (message: unknown) => JSON.stringify({ types, primaryType: 'Knot', domain: {}, message })
    expect(thrown(() => readTypedData(typed(deep)))).toMatchObject(refused)
    expect(readTypedData(typed({ inside: { inside: null } })).message[0]?.inside?.[0]?.text).toBe('none')
    const wide = { types: { Wide: [{ name: 'all', type: 'uint8[]' }] }, primaryType: 'Wide', domain: {} }
    expect(
      thrown(() => readTypedData(JSON.stringify({ ...wide, message: { all: Array(10_001).fill(1) } }))),
    ).toMatchObject(refused)
  })
})

describe('a transaction', () => {
  const EIP155 = 'ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080'
  it('reads, hashes and signs a legacy EVM transaction as in the example of EIP-155', () => {
    const transaction = readEvmTransaction(hex(EIP155))
    expect(transaction).toMatchObject({
      type: 'legacy',
      chainId: 1n,
      nonce: 9n,
      to: '0x3535353535353535353535353535353535353535',
      value: 10n ** 18n,
      gasLimit: 21_000n,
      maxFeePerGas: 20n * 10n ** 9n,
    })
    expect(toHex(transaction.digest)).toBe('0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53')
    const signed = transaction.withSignature(dealt(hex('46'.repeat(32))).sign(transaction.digest))
    expect(toHex(signed)).toBe(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    )
  })

  it('reads EVM transactions of another implementation, which reads our signatures', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 40n })
    const made = fc.record({
      chainId: fc.bigInt({ min: 1n, max: 2n ** 40n }),
      nonce: u64,
      to: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex),
      value: fc.bigInt({ min: 0n, max: 2n ** 120n }),
      data: fc.uint8Array({ maxLength: 300 }).map(toHex),
      gasLimit: fc.bigInt({ min: 30_000n, max: 10n ** 7n }),
      fee: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      keys: fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex), { maxLength: 3 }),
    })
    const account = dealt(fresh(32))
    fc.assert(
      fc.property(made, fc.boolean(), ({ fee, keys, ...rest }, old) => {
        const access = { maxPriorityFeePerGas: 1n, accessList: [{ address: rest.to, storageKeys: keys }] }
        const transaction = old
          ? new Transaction('legacy', { ...rest, gasPrice: fee }, { strict: false })
          : new Transaction('eip1559', { ...rest, maxFeePerGas: fee, ...access }, { strict: false })
        const bytes = transaction.toBytes({ includeSignature: false })
        const read = readEvmTransaction(bytes)
        expect(read).toMatchObject({
          chainId: rest.chainId,
          nonce: rest.nonce,
          value: rest.value,
          gasLimit: rest.gasLimit,
          maxFeePerGas: fee,
        })
        expect(read.to?.toLowerCase()).toBe(rest.to)
        expect(toHex(read.data)).toBe(rest.data)
        const signed = Transaction.fromBytes(read.withSignature(account.sign(read.digest)))
        expect(signed.verifySignature()).toBe(true)
        expect(signed.sender).toBe(account.address)
        expect(signed.raw.value).toBe(rest.value)
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ['nothing', ''],
    ['text', '80'],
    ['one without a chain', 'e9098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080'],
    [
      'a chain of nothing',
      'ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080808080',
    ],
    ['bytes behind it', `${EIP155}00`],
    [
      'a number with a leading zero',
      'ed82000985 04a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000800180'.replace(/ /g, ''),
    ],
    ['a length that is longer than what is there', 'f90fff098504a817c800'],
    [
      'a long length where a short one does',
      'f82c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080',
    ],
    [
      'an address of 19 bytes',
      'eb098504a817c8008252089335353535353535353535353535353535353535880de0b6b3a764000080018080',
    ],
    [
      'a signature where a signer signs',
      'ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080010180',
    ],
    ['a type of later', '04c0'],
    ['a contract without code', 'd8098504a817c80082520880880de0b6b3a764000080018080'],
  ])('refuses an EVM transaction: %s', (_, bytes) => {
    expect(thrown(() => readEvmTransaction(hex(bytes)))).toMatchObject(refused)
  })

  it('reads any bytes as the EVM transaction that they encode, or refuses them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const outcome = thrown(() => readEvmTransaction(bytes))
        expect(outcome).toSatisfy((value: unknown) =>
          value instanceof Error ? Reflect.get(value, 'code') === 'evm_invalid' : value !== undefined,
        )
      }),
    )
  })
})

describe('a message (EIP-191) and an address (EIP-55)', () => {
  it('another implementation recovers the address from an EIP-191 signature', () => {
    const account = dealt(fresh(32))
    for (const message of ['', 'hello world', 'Grüße', 'x'.repeat(1000)])
      expect(eip191Signer.recoverAddress(toHex(account.sign(personalDigest(text(message)))), message)).toBe(
        account.address,
      )
  })
})
