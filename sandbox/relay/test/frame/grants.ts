/** Grants of the wallet's own window: transfers of SOL and tokens without a question, up to an amount a day. */
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import { APP } from '../world.js'
import { type Answer, type Asked, ask, sha256, type Target } from './request.js'
import { asDevice, changeSet, type Wallet } from './wallet.js'

/** @param dailyLimit lamports */
export function grantOf(dailyLimit: bigint | number, origin = APP) {
  return {
    dailyLimit: String(dailyLimit),
    programs: [
      { programId: SystemProgram.programId.toBase58(), instructions: ['02000000'] },
      { programId: ComputeBudgetProgram.programId.toBase58() },
    ],
    messages: false,
    otherwise: 'ask',
    origin,
  }
}

export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** @param tokens mint, decimals and amount a day in the smallest unit */
export function tokenGrantOf(
  dailyLimit: bigint | number,
  ...tokens: (readonly [mint: string, decimals: number, dailyLimit: bigint])[]
) {
  const { programs, ...rest } = grantOf(dailyLimit)
  const transfers = [TOKEN, TOKEN_2022].map(programId => ({ programId, instructions: ['0c'] }))
  return {
    ...rest,
    programs: [...programs, ...transfers, { programId: ASSOCIATED }],
    tokens: tokens.map(([mint, decimals, limit]) => ({ mint, decimals, dailyLimit: String(limit) })),
  }
}

/** Returns the message of a transaction that the wallet pays for. */
export function messageOf(address: string, ...instructions: TransactionInstruction[]): Uint8Array {
  const recentBlockhash = Keypair.generate().publicKey.toBase58()
  const message = new TransactionMessage({ payerKey: new PublicKey(address), recentBlockhash, instructions })
  return new Uint8Array(message.compileToLegacyMessage().serialize())
}

interface TokenTransfer {
  readonly mint: string
  /** In the smallest unit. */
  readonly amount: bigint
  readonly decimals?: number
  /** Token account; default: a new one. */
  readonly to?: PublicKey
  /** Default: the wallet. */
  readonly authority?: PublicKey
  readonly programId?: string
  /** Further accounts, such as those of a hook. */
  readonly more?: readonly PublicKey[]
}
/** Returns a `TransferChecked` from an account of the wallet. */
export function sendToken(address: string, transfer: TokenTransfer): TransactionInstruction {
  const wallet = new PublicKey(address)
  const newKey = () => Keypair.generate().publicKey
  const { mint, amount, decimals = 6, to = newKey(), authority = wallet, programId = TOKEN, more = [] } = transfer
  const units = new Uint8Array(new BigUint64Array([amount]).buffer)
  return new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: [newKey(), new PublicKey(mint), to, authority, ...more].map(pubkey => ({
      pubkey,
      isSigner: pubkey === authority,
      isWritable: true,
    })),
    data: Buffer.from([12, ...units, decimals]),
  })
}

/** Returns the creation of a token account that the wallet pays for. */
export function openAccount(address: string, account: PublicKey, mint: string, programId = TOKEN) {
  const keys = [address, account, Keypair.generate().publicKey, mint, SystemProgram.programId, programId]
  return new TransactionInstruction({
    programId: new PublicKey(ASSOCIATED),
    keys: keys.map(key => ({ pubkey: new PublicKey(key), isSigner: key === address, isWritable: true })),
    data: Buffer.from([1]),
  })
}

/** Sets a grant that the page asked for, with the user's consent. */
export function grant(target: Target, wallet: Wallet, dailyLimit: bigint | number): Promise<Answer> {
  return changeSet(target, wallet, wallet.setId, 'policy', { policy: grantOf(dailyLimit) }, true)
}

/** Sets a policy as the wallet's own window does beside a transaction, which is all that the page's session signed. */
export function grantBeside(
  target: Target,
  wallet: Wallet,
  transaction: Uint8Array,
  policy: object,
  more: Partial<Asked> = {},
): Promise<Answer> {
  const operation = asDevice(wallet, 'signTransaction', { hash: sha256(transaction), consent: true, ...more })
  return ask(target, wallet.user, `/wallets/${wallet.walletId}/sets/${wallet.setId}/policy`, { policy }, operation)
}
