/** Signs with the session key: one request per signature, and more only while the activity is pending. */
import { accountNotFound, fromHex, toHex, type WalletCredential } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'
import { turnkeyError } from './errors.js'
import type { Sessions } from './session.js'
import type { Tools } from './tools.js'
import { isEmbedded, type Signing } from './wallet.js'

interface Custodian {
  readonly sessions: Sessions
  organization(): Promise<string>
  wallets(): readonly WalletCredential[]
}

export function createSigning({ kernel }: Tools, { sessions, organization, wallets }: Custodian): Signing {
  const envelope = (organizationId: string) => ({ timestampMs: String(kernel.clock.now()), organizationId })
  /** Returns the organisation of a user's account on this chain. */
  const findOrganization = async (address: string, chain: 'SOL' | 'EVM'): Promise<string> => {
    const organizationId = await organization()
    const isListed = wallets().some(
      wallet => isEmbedded(wallet) && wallet.chain === chain && wallet.address === address,
    )
    if (!isListed) throw turnkeyError(accountNotFound)
    return organizationId
  }
  const rawPayload = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' } as const
  const joinHalves = ({ r, s }: { readonly r: string; readonly s: string }) => fromHex(r + s)

  return {
    async messages({ address: signWith }: WalletAccount, messages) {
      const organizationId = await findOrganization(signWith, 'SOL')
      const payloads = messages.map(toHex)
      const [payload = ''] = payloads
      if (payloads.length === 1) {
        const { signRawPayloadResult = { r: '', s: '' } } = await sessions.act(organizationId, client =>
          client.signRawPayload({
            type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
            ...envelope(organizationId),
            parameters: { signWith, payload, ...rawPayload },
          }),
        )
        return [joinHalves(signRawPayloadResult)]
      }
      const { signRawPayloadsResult } = await sessions.act(organizationId, client =>
        client.signRawPayloads({
          type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
          ...envelope(organizationId),
          parameters: { signWith, payloads, ...rawPayload },
        }),
      )
      return (signRawPayloadsResult?.signatures ?? []).map(joinHalves)
    },
    async transaction({ address: signWith }, transaction) {
      const organizationId = await findOrganization(signWith, 'SOL')
      const { signTransactionResult } = await sessions.act(organizationId, client =>
        client.signTransaction({
          type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
          ...envelope(organizationId),
          parameters: { signWith, unsignedTransaction: toHex(transaction), type: 'TRANSACTION_TYPE_SOLANA' },
        }),
      )
      return fromHex(signTransactionResult?.signedTransaction ?? '')
    },
    async typedData(signWith, payload) {
      const organizationId = await findOrganization(signWith, 'EVM')
      const { signRawPayloadResult } = await sessions.act(organizationId, client =>
        client.signRawPayload({
          type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
          ...envelope(organizationId),
          parameters: { signWith, payload, encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' },
        }),
      )
      const { r = '', s = '', v = '00' } = signRawPayloadResult ?? {}
      return `0x${r}${s}${v === '01' ? '1c' : '1b'}`
    },
  }
}
