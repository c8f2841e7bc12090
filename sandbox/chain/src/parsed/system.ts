import type { AccountAt, DataReader, ParsedInstruction } from './program-data.js'

function lamports(data: DataReader): number {
  return Number(data.u64())
}

/** Parses an instruction of the system program. */
export function parseSystem(data: DataReader, at: AccountAt): ParsedInstruction | null {
  switch (data.u32()) {
    case 0: {
      const info = {
        source: at(0),
        newAccount: at(1),
        lamports: lamports(data),
        space: lamports(data),
        owner: data.key(),
      }
      return { type: 'createAccount', info }
    }
    case 1:
      return { type: 'assign', info: { account: at(0), owner: data.key() } }
    case 2:
      return { type: 'transfer', info: { source: at(0), destination: at(1), lamports: lamports(data) } }
    case 3: {
      const base = data.key()
      const seed = data.text()
      const info = { lamports: lamports(data), space: lamports(data), owner: data.key() }
      return { type: 'createAccountWithSeed', info: { source: at(0), newAccount: at(1), base, seed, ...info } }
    }
    case 4: {
      const info = { nonceAccount: at(0), recentBlockhashesSysvar: at(1), nonceAuthority: at(2) }
      return { type: 'advanceNonce', info }
    }
    case 5: {
      const accounts = { nonceAccount: at(0), destination: at(1), recentBlockhashesSysvar: at(2), rentSysvar: at(3) }
      return { type: 'withdrawFromNonce', info: { ...accounts, nonceAuthority: at(4), lamports: lamports(data) } }
    }
    case 6: {
      const accounts = { nonceAccount: at(0), recentBlockhashesSysvar: at(1), rentSysvar: at(2) }
      return { type: 'initializeNonce', info: { ...accounts, nonceAuthority: data.key() } }
    }
    case 7: {
      const info = { nonceAccount: at(0), nonceAuthority: at(1), newAuthorized: data.key() }
      return { type: 'authorizeNonce', info }
    }
    case 8:
      return { type: 'allocate', info: { account: at(0), space: lamports(data) } }
    case 9: {
      const info = { account: at(0), base: data.key(), seed: data.text(), space: lamports(data), owner: data.key() }
      return { type: 'allocateWithSeed', info }
    }
    case 10:
      return {
        type: 'assignWithSeed',
        info: { account: at(0), base: data.key(), seed: data.text(), owner: data.key() },
      }
    case 11: {
      const amount = lamports(data)
      const info = { source: at(0), sourceBase: at(1), destination: at(2), lamports: amount }
      return { type: 'transferWithSeed', info: { ...info, sourceSeed: data.text(), sourceOwner: data.key() } }
    }
    case 12:
      return { type: 'upgradeNonce', info: { nonceAccount: at(0) } }
    default:
      return null
  }
}
