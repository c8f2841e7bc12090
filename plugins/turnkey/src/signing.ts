/** Signs with the session key, once the user agrees: one request per signature, and more only while the activity is pending. */
import { accountNotFound, fromHex, toHex, utf8, type WalletCredential } from '@keybay/kernel/spec'
import { turnkeyError } from './errors.js'
import type { ToSign } from './export/messages.js'
import type { Client } from './service.js'
import type { Sessions } from './session.js'
import { isEmbedded, type Signing } from './wallet.js'

interface Custodian {
  readonly sessions: Sessions
  organization(): Promise<string>
  wallets(): readonly WalletCredential[]
  /** Asks the user. @throws KeybayError `user_rejected`; errors of the window */
  ask(toSign: ToSign): Promise<void>
}
type Payload = Parameters<Client['signRawPayload']>[0]['parameters']
const RAW = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' } as const
const TYPED = { encoding: 'PAYLOAD_ENCODING_EIP712', hashFunction: 'HASH_FUNCTION_NO_OP' } as const

function joinHalves({ r, s }: { readonly r: string; readonly s: string }): Uint8Array {
  return fromHex(r + s)
}

export function createSigning({ sessions, organization, wallets, ask }: Custodian): Signing {
  /** Returns the organization of a user's account on this chain. */
  const findOrganization = async (address: string, chain: 'SOL' | 'EVM'): Promise<string> => {
    const organizationId = await organization()
    const isListed = wallets().some(
      wallet => isEmbedded(wallet) && wallet.chain === chain && wallet.address === address,
    )
    if (!isListed) throw turnkeyError(accountNotFound)
    return organizationId
  }
  const signPayload = async (organizationId: string, parameters: Payload) => {
    const { signRawPayloadResult = { r: '', s: '', v: '' } } = await sessions.act(organizationId, (client, envelope) =>
      client.signRawPayload({ ...envelope, type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters }),
    )
    return signRawPayloadResult
  }
  return {
    async messages({ address: signWith }, messages) {
      const organizationId = await findOrganization(signWith, 'SOL')
      await ask({ kind: 'message', address: signWith, contents: messages })
      const payloads = messages.map(toHex)
      const [payload = ''] = payloads
      if (payloads.length === 1) return [joinHalves(await signPayload(organizationId, { signWith, payload, ...RAW }))]
      const parameters = { signWith, payloads, ...RAW }
      const { signRawPayloadsResult } = await sessions.act(organizationId, (client, envelope) =>
        client.signRawPayloads({ ...envelope, type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters }),
      )
      return (signRawPayloadsResult?.signatures ?? []).map(joinHalves)
    },
    async transaction({ address: signWith }, transaction) {
      const organizationId = await findOrganization(signWith, 'SOL')
      await ask({ kind: 'transaction', address: signWith, contents: [transaction] })
      const unsignedTransaction = toHex(transaction)
      const parameters = { signWith, unsignedTransaction, type: 'TRANSACTION_TYPE_SOLANA' as const }
      const { signTransactionResult } = await sessions.act(organizationId, (client, envelope) =>
        client.signTransaction({ ...envelope, type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters }),
      )
      return fromHex(signTransactionResult?.signedTransaction ?? '')
    },
    async typedData(signWith, payload) {
      const organizationId = await findOrganization(signWith, 'EVM')
      await ask({ kind: 'typedData', address: signWith, contents: [utf8(payload)] })
      const { r, s, v } = await signPayload(organizationId, { signWith, payload, ...TYPED })
      return `0x${r}${s}${v === '01' ? '1c' : '1b'}`
    },
  }
}
