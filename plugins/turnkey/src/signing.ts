/** Signatures by the session key: one request each, and a second one only while the activity is under way. */
import type { WalletCredential } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'
import { bytesToHex, hexToBytes } from './bytes.js'
import type { Sessions } from './session.js'
import type { Tools } from './tools.js'
import { isEmbedded, type Signing } from './wallet.js'

export interface Whose {
  readonly sessions: Sessions
  organization(): Promise<string>
  wallets(): readonly WalletCredential[]
}

export function createSigning(tools: Tools, { sessions, organization, wallets }: Whose): Signing {
  const { kernel, fault, errors } = tools
  const [, , , accountNotFound] = errors
  const envelope = (organizationId: string) => ({ timestampMs: String(kernel.clock.now()), organizationId })
  /** The user's own, on this chain. */
  const own = async (address: string, chain: 'SOL' | 'EVM'): Promise<string> => {
    const organizationId = await organization()
    const isOwn = wallets().some(one => isEmbedded(one) && one.chain === chain && one.address === address)
    if (!isOwn) throw fault(accountNotFound)
    return organizationId
  }
  const how = {
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  } as const
  const joined = ({ r, s }: { readonly r: string; readonly s: string }) => hexToBytes(r + s)

  return {
    async messages({ address: signWith }: WalletAccount, messages) {
      const organizationId = await own(signWith, 'SOL')
      const payloads = messages.map(bytesToHex)
      const [payload = ''] = payloads
      if (payloads.length === 1) {
        const { signRawPayloadResult = { r: '', s: '' } } = await sessions.act(organizationId, client =>
          client.signRawPayload({
            type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
            ...envelope(organizationId),
            parameters: { signWith, payload, ...how },
          }),
        )
        return [joined(signRawPayloadResult)]
      }
      const { signRawPayloadsResult } = await sessions.act(organizationId, client =>
        client.signRawPayloads({
          type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
          ...envelope(organizationId),
          parameters: { signWith, payloads, ...how },
        }),
      )
      return (signRawPayloadsResult?.signatures ?? []).map(joined)
    },
    async transaction({ address: signWith }, transaction) {
      const organizationId = await own(signWith, 'SOL')
      const { signTransactionResult } = await sessions.act(organizationId, client =>
        client.signTransaction({
          type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
          ...envelope(organizationId),
          parameters: { signWith, unsignedTransaction: bytesToHex(transaction), type: 'TRANSACTION_TYPE_SOLANA' },
        }),
      )
      return hexToBytes(signTransactionResult?.signedTransaction ?? '')
    },
    async typedData(signWith, payload) {
      const organizationId = await own(signWith, 'EVM')
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
