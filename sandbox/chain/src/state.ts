import { createHash, randomBytes } from 'node:crypto'
import type { MovableClock } from '@keybay/sandbox-service'
import bs58 from 'bs58'
import { Blockhashes, type IssuedBlockhash } from './blockhashes.js'
import { type Block, Blocks } from './blocks.js'
import { FAUCET_ADDRESS, FAUCET_LAMPORTS } from './faucet.js'
import { PriorityFees } from './fees.js'
import { decodeRecord, getAccountKeys, Ledger, type TransactionRecord } from './ledger.js'
import { SYSTEM_PROGRAM } from './programs.js'
import { type SlotHash, Vm } from './vm.js'

/** A fresh chain starts with some blocks: equal airdrops need several blockhashes, lookup tables need recent slots. */
const GENESIS_SLOTS = 32

/** Maximum number of entries in the slot-hashes sysvar. */
const MAX_SLOT_HASHES = 512

/** State outside the VM and the transactions. Times in ms and seconds since epoch. */
export interface StateHeader {
  readonly genesisHash: string
  readonly slot: number
  readonly height: number
  readonly savedAt: number
  readonly burnedFees: number
  readonly totalTransactions: number
  readonly blockhashes: readonly IssuedBlockhash[]
  readonly blocks: readonly Block[]
}

export interface SavedState {
  readonly header: StateHeader
  readonly vm: Uint8Array
  readonly records: Iterable<TransactionRecord>
}

export interface StateOptions {
  readonly clock: MovableClock
  /** Duration of a slot, in ms. */
  readonly slotMs: number
  /** Number of transactions to keep. */
  readonly historyLimit: number
  /** Slots until a confirmed transaction counts as finalized. */
  readonly finalitySlots: number
}

/** Listener for chain events, which drive the subscriptions. */
export interface StateListener {
  transaction(record: TransactionRecord, writableAddresses: readonly string[]): void
  slot(block: Block): void
  /** Called when accounts changed without a transaction, because a fork was abandoned. */
  accounts(addresses: readonly string[]): void
}

/** The chain itself: VM, slots, blocks, blockhashes, ledger. One block is always open; it closes when the next slot begins. */
export class ChainState {
  readonly options: StateOptions
  readonly blockhashes: Blockhashes = new Blockhashes()
  readonly blocks: Blocks = new Blocks()
  readonly priorityFees: PriorityFees = new PriorityFees()
  readonly ledger: Ledger
  readonly genesisHash: string
  readonly listeners: Set<StateListener> = new Set()
  vm: Vm
  height = 0
  burnedFees = 0
  /** Changes exist that the next snapshot has to include. */
  dirty = true
  #open: Block
  /** Newest first. */
  #slotHashes: readonly SlotHash[] = []

  constructor(options: StateOptions, saved?: SavedState) {
    this.options = options
    this.ledger = new Ledger(options.historyLimit)
    this.vm = saved ? Vm.fromBytes(saved.vm) : Vm.create()
    this.genesisHash = saved?.header.genesisHash ?? bs58.encode(randomBytes(32))
    if (saved) {
      const { header } = saved
      this.height = header.height
      this.burnedFees = header.burnedFees
      this.blockhashes.restore(header.blockhashes)
      for (const block of header.blocks) this.blocks.add(block)
      const closed = header.blocks.filter(({ slot }) => slot < header.slot).slice(1 - MAX_SLOT_HASHES)
      this.#slotHashes = closed.map(({ slot, blockhash }) => ({ slot: BigInt(slot), hash: blockhash })).reverse()
      for (const record of saved.records) this.ledger.add(record)
      this.ledger.total = header.totalTransactions
      // Skip the slots of the time that the chain was down.
      const down = Math.max(0, options.clock.now() - header.savedAt)
      const skipped = options.slotMs > 0 ? Math.floor(down / options.slotMs) : 0
      this.#open = this.#enter(header.slot + 1 + skipped, header.slot)
    } else {
      this.vm.setAccount(FAUCET_ADDRESS, {
        lamports: FAUCET_LAMPORTS,
        owner: SYSTEM_PROGRAM,
        data: Buffer.alloc(0),
        executable: false,
      })
      this.#open = this.#enter(1, 0)
      for (let slot = 2; slot <= GENESIS_SLOTS; slot++) this.#open = this.#enter(slot, slot - 1)
    }
  }

  /** Block that is still being filled. */
  get open(): Block {
    return this.#open
  }

  get slot(): number {
    return this.#open.slot
  }

  /** Newest slot whose transactions count as finalized. */
  get root(): number {
    return Math.max(0, this.slot - this.options.finalitySlots)
  }

  get identity(): string {
    return bs58.encode(createHash('sha256').update(this.genesisHash).digest())
  }

  /** Closes the open block and begins the next slot, `count` times. */
  advance(count = 1): void {
    for (let i = 0; i < count; i++) {
      this.#open = this.#enter(this.slot + 1, this.slot)
      for (const listener of this.listeners) listener.slot(this.#open)
    }
    const first = this.ledger.prune(this.slot)
    if (first !== undefined) this.blocks.dropBefore(first)
  }

  /** Restores the VM, the blockhashes and the height of a fork point, and continues in a new slot. */
  rewind(point: { vm: Uint8Array; blockhashes: readonly IssuedBlockhash[]; height: number; slot: number }): string[] {
    const parent = this.blocks.slots(0, point.slot - 1).at(-1) ?? 0
    const current = this.slot
    const records = [...this.ledger.records()].filter(record => record.slot >= point.slot)
    this.ledger.dropFrom(point.slot)
    this.blocks.dropFrom(point.slot)
    this.burnedFees -= records.reduce((sum, { fee }) => sum + fee, 0)
    this.vm = Vm.fromBytes(point.vm)
    this.#slotHashes = this.#slotHashes.filter(({ slot }) => slot < BigInt(point.slot))
    this.blockhashes.restore(point.blockhashes)
    this.height = point.height
    this.dirty = true
    this.#open = this.#enter(current + 1, parent)
    const touched = records.flatMap(record => getAccountKeys(decodeRecord(record), record.loaded))
    for (const listener of this.listeners) {
      listener.slot(this.#open)
      listener.accounts(touched)
    }
    return records.map(record => record.signature)
  }

  /** @returns everything that a snapshot stores, with the VM's bytes captured now */
  save(): SavedState {
    const header: StateHeader = {
      genesisHash: this.genesisHash,
      slot: this.slot,
      height: this.height,
      savedAt: this.options.clock.now(),
      burnedFees: this.burnedFees,
      totalTransactions: this.ledger.total,
      blockhashes: this.blockhashes.entries(),
      blocks: this.blocks.entries(),
    }
    return { header, vm: this.vm.toBytes(), records: this.ledger.records() }
  }

  #enter(slot: number, parentSlot: number): Block {
    const parent = this.blocks.get(parentSlot)
    const previousBlockhash = parent?.blockhash ?? this.genesisHash
    this.height += 1
    this.blockhashes.issue(previousBlockhash, this.height)
    const block: Block = {
      slot,
      parentSlot,
      height: this.height,
      time: this.options.clock.seconds,
      // Random, so that a transaction signed for an earlier chain on this machine is invalid on a fresh one.
      blockhash: bs58.encode(randomBytes(32)),
      previousBlockhash,
      signatures: [],
    }
    this.#slotHashes = [{ slot: BigInt(parentSlot), hash: previousBlockhash }, ...this.#slotHashes].slice(
      0,
      MAX_SLOT_HASHES,
    )
    this.vm.enterSlot(slot, block.time, this.#slotHashes)
    this.blocks.add(block)
    return block
  }
}
