import bs58 from 'bs58'
import {
  Account,
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js'
import { type TransactionError, transactionError } from './errors.js'

/** Slots per epoch, as on mainnet; there is no warm-up. */
export const SLOTS_PER_EPOCH = 432_000

export interface AccountState {
  readonly lamports: bigint
  readonly owner: string
  readonly data: Buffer
  readonly executable: boolean
}

export interface InnerInstructions {
  readonly index: number
  readonly instructions: readonly {
    readonly programIdIndex: number
    readonly accounts: readonly number[]
    readonly data: string
    readonly stackHeight: number
  }[]
}

export interface ReturnData {
  readonly programId: string
  readonly data: readonly [string, 'base64']
}

export interface SlotHash {
  readonly slot: bigint
  readonly hash: string
}

/** Result of one run of a transaction in the VM. */
export interface Outcome {
  readonly error: TransactionError | null
  readonly logs: string[]
  readonly units: number
  readonly inner: InnerInstructions[]
  readonly returnData: ReturnData | null
}

export interface Simulation extends Outcome {
  /** Returns the accounts after the run; empty when the transaction fails. */
  readonly accounts: () => ReadonlyMap<string, AccountState>
}

function accountState(account: Account): AccountState {
  return {
    lamports: account.lamports(),
    owner: bs58.encode(account.owner()),
    data: Buffer.from(account.data()),
    executable: account.executable(),
  }
}

/** The Solana VM, without slots and history. Uses LiteSVM's native binding, which takes the wire bytes as they are. */
export class Vm {
  readonly #svm: LiteSvm

  private constructor(svm: LiteSvm) {
    this.#svm = svm
    // The server checks both itself: 150 blockhashes with durable nonces, and every signature in the ledger.
    svm.setBlockhashCheck(false)
    svm.setTransactionHistory(0n)
  }

  static create(): Vm {
    const svm = new LiteSvm()
    svm.withNativeMints()
    svm.setEpochSchedule(new EpochSchedule(BigInt(SLOTS_PER_EPOCH), BigInt(SLOTS_PER_EPOCH), false, 0n, 0n))
    return new Vm(svm)
  }

  /** @throws Error when the bytes are not a state of this VM version */
  static fromBytes(bytes: Uint8Array): Vm {
    return new Vm(LiteSvm.fromBytes(bytes))
  }

  toBytes(): Uint8Array {
    return this.#svm.toBytes()
  }

  account(address: string): AccountState | null {
    const account = this.#svm.getAccount(bs58.decode(address))
    return account ? accountState(account) : null
  }

  /** Returns lamports; 0 when the account does not exist. */
  balance(address: string): number {
    return Number(this.#svm.getBalance(bs58.decode(address)) ?? 0n)
  }

  setAccount(address: string, { lamports, data, owner, executable }: AccountState): void {
    const rentEpoch = 2n ** 64n - 1n
    this.#svm.setAccount(bs58.decode(address), new Account(lamports, data, bs58.decode(owner), executable, rentEpoch))
  }

  getAccounts(program: string): [address: string, account: AccountState][] {
    return this.#svm
      .getProgramAccounts(bs58.decode(program))
      .map(entry => [bs58.encode(entry.address), accountState(entry.account())])
  }

  rentExemption(dataLength: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(dataLength)
  }

  /** Blockhash from which durable nonces derive. The blockhashes that clients use are the server's own. */
  get blockhash(): string {
    return this.#svm.latestBlockhash()
  }

  /** Updates the sysvars and the blockhash of durable nonces. `hashes`: newest first, for lookup tables. */
  enterSlot(slot: number, unixSeconds: number, hashes: readonly SlotHash[]): void {
    this.#svm.expireBlockhash()
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
    const { epoch: lastEpoch, epochStartTimestamp } = this.#svm.getClock()
    const time = BigInt(unixSeconds)
    const epochStart = lastEpoch === epoch && epochStartTimestamp > 0n ? epochStartTimestamp : time
    this.#svm.setClock(new Clock(BigInt(slot), epochStart, epoch, epoch + 1n, time))
    this.#svm.setSlotHashes([...hashes])
  }

  /** Runs a transaction and keeps its effects. `verified`: its signatures were verified on exactly these bytes. */
  execute(raw: Uint8Array, verified: boolean): Outcome {
    this.#svm.setSigverify(!verified)
    const result = this.#svm.sendVersionedTransaction(raw)
    if (!(result instanceof FailedTransactionMetadata)) return outcome(result, null)
    return outcome(result.meta(), transactionError(result))
  }

  simulate(raw: Uint8Array, checkSignatures: boolean): Simulation {
    this.#svm.setSigverify(checkSignatures)
    const result = this.#svm.simulateVersionedTransaction(raw)
    if (!(result instanceof FailedTransactionMetadata)) {
      const accounts = () =>
        new Map(result.postAccounts().map(e => [bs58.encode(e.address), accountState(e.account())]))
      return { ...outcome(result.meta(), null), accounts }
    }
    return { ...outcome(result.meta(), transactionError(result)), accounts: () => new Map() }
  }
}

function outcome(meta: TransactionMetadata, error: TransactionError | null): Outcome {
  const returned = meta.returnData()
  const data = returned.data()
  return {
    error,
    logs: meta.logs(),
    units: Number(meta.computeUnitsConsumed()),
    inner: meta
      .innerInstructions()
      .map((list, index) => ({
        index,
        instructions: list.map(entry => {
          const instruction = entry.instruction()
          return {
            programIdIndex: instruction.programIdIndex(),
            accounts: [...instruction.accounts()],
            data: bs58.encode(instruction.data()),
            stackHeight: entry.stackHeight(),
          }
        }),
      }))
      .filter(({ instructions }) => instructions.length > 0),
    returnData: data.length
      ? { programId: bs58.encode(returned.programId()), data: [Buffer.from(data).toString('base64'), 'base64'] }
      : null,
  }
}
