/** Address of a wallet's token account, derived from wallet, mint and token program. */
import { PublicKey } from '@solana/web3.js'
import { ASSOCIATED_TOKEN_PROGRAM } from './addresses.js'

const PROGRAM = new PublicKey(ASSOCIATED_TOKEN_PROGRAM)

export function associatedAddress(owner: string, mint: string, program: string): string {
  return PublicKey.findProgramAddressSync(
    [owner, program, mint].map(address => new PublicKey(address).toBytes()),
    PROGRAM,
  )[0].toBase58()
}
