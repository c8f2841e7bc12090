import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { SYSTEM_PROGRAM } from './programs.js'
import type { AccountState, Vm } from './vm.js'
import { isWritableIndex, type Message } from './wire.js'

const ADVANCE_NONCE_ACCOUNT = 4
const NONCE_ACCOUNT_SIZE = 80
const AUTHORITY = 8
const NONCE = 40
const NONCE_END = 72

/** Returns the nonce account that gives a message its lifetime: advanced first, writable, signed for, current. */
export function getNonceAccount(vm: Vm, message: Message): string | undefined {
  const first = message.instructions[0]
  if (!first || message.accountKeys[first.programIdIndex] !== SYSTEM_PROGRAM) return undefined
  if (first.data.length < 4 || Buffer.from(first.data).readUInt32LE(0) !== ADVANCE_NONCE_ACCOUNT) return undefined
  const index = first.accounts[0]
  const address = index === undefined ? undefined : message.accountKeys[index]
  if (index === undefined || address === undefined || !isWritableIndex(message, index)) return undefined
  const account = vm.account(address)
  if (!account || !isNonce(account)) return undefined
  const { data } = account
  if (bs58.encode(data.subarray(NONCE, NONCE_END)) !== message.recentBlockhash) return undefined
  const authority = bs58.encode(data.subarray(AUTHORITY, NONCE))
  const signs = first.accounts.some(
    i => i < message.header.numRequiredSignatures && message.accountKeys[i] === authority,
  )
  return signs ? address : undefined
}

function isNonce({ owner, data }: AccountState): boolean {
  return owner === SYSTEM_PROGRAM && data.length === NONCE_ACCOUNT_SIZE && data.readUInt32LE(4) === 1
}

/** Advances the nonce of a failed transaction: the VM rolled that back, but a failure also uses up the nonce. */
export function advanceNonce(vm: Vm, address: string): void {
  const account = vm.account(address)
  if (!account || !isNonce(account)) return
  const data = Buffer.from(account.data)
  createHash('sha256').update('DURABLE_NONCE').update(bs58.decode(vm.blockhash)).digest().copy(data, NONCE)
  vm.setAccount(address, { ...account, data })
}
