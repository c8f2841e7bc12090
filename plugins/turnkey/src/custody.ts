/** User's wallets as listed by the product API. */
import { field, recordInvalid, type WalletCredential } from '@keybay/kernel/spec'
import { turnkeyError } from './errors.js'

export interface Custody {
  /** Undefined until the user creates a wallet. */
  readonly organizationId: string | undefined
  readonly wallets: readonly WalletCredential[]
}
export const NO_CUSTODY: Custody = { organizationId: undefined, wallets: [] }

/** S3.3. Returns undefined for an invalid record. */
function readCredential(value: unknown): WalletCredential | undefined {
  const [id, address, chain, walletName] = ['id', 'address', 'chain', 'walletName'].map(name => field(value, name))
  const properties = field(value, 'walletProperties')
  const turnkeySubOrganizationId = field(properties, 'turnkeySubOrganizationId')
  if (typeof id !== 'string' || typeof address !== 'string' || typeof walletName !== 'string') return undefined
  if ((chain !== 'SOL' && chain !== 'EVM') || typeof turnkeySubOrganizationId !== 'string') return undefined
  const isSessionKeyCompatible = field(properties, 'isSessionKeyCompatible') === true
  return { id, address, chain, walletName, walletProperties: { turnkeySubOrganizationId, isSessionKeyCompatible } }
}
/** Checks the product API's response. @throws KeybayError `record_invalid` */
export function readCustody(response: unknown): Custody {
  const organizationId = field(response, 'organizationId')
  const records = field(response, 'wallets')
  if (!Array.isArray(records) || (organizationId !== null && typeof organizationId !== 'string'))
    throw turnkeyError(recordInvalid)
  const wallets = records.map(readCredential).filter(wallet => wallet !== undefined)
  if (wallets.length < records.length) throw turnkeyError(recordInvalid)
  return { organizationId: organizationId ?? undefined, wallets }
}
