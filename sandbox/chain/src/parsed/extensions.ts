import bs58 from 'bs58'

/** Token-2022 extensions by number, with the name that the RPC uses. */
const NAMES = [
  'uninitialized',
  'transferFeeConfig',
  'transferFeeAmount',
  'mintCloseAuthority',
  'confidentialTransferMint',
  'confidentialTransferAccount',
  'defaultAccountState',
  'immutableOwner',
  'memoTransfer',
  'nonTransferable',
  'interestBearingConfig',
  'cpiGuard',
  'permanentDelegate',
  'nonTransferableAccount',
  'transferHook',
  'transferHookAccount',
  'confidentialTransferFeeConfig',
  'confidentialTransferFeeAmount',
  'metadataPointer',
  'tokenMetadata',
  'groupPointer',
  'tokenGroup',
  'groupMemberPointer',
  'tokenGroupMember',
  'confidentialMintBurn',
  'scaledUiAmountConfig',
  'pausableConfig',
  'pausableAccount',
] as const

/** Extensions follow the base account (165 bytes) and its kind (1 byte) as type, length, value. */
const FIRST_ENTRY = 166

interface Extension {
  readonly extension: string
  readonly state?: unknown
}

function key(value: Buffer, at: number): string | null {
  const bytes = value.subarray(at, at + 32)
  return bytes.every(byte => byte === 0) ? null : bs58.encode(bytes)
}

export function tokenExtensions(data: Buffer): Extension[] | undefined {
  if (data.length <= FIRST_ENTRY) return undefined
  const extensions: Extension[] = []
  for (let at = FIRST_ENTRY; at + 4 <= data.length; ) {
    const type = data.readUInt16LE(at)
    const length = data.readUInt16LE(at + 2)
    const value = data.subarray(at + 4, at + 4 + length)
    if (type === 0 || value.length < length) break
    const extension = NAMES[type] ?? 'unparseableExtension'
    const state = STATES[extension]?.(value)
    extensions.push(state === undefined ? { extension } : { extension, state })
    at += 4 + length
  }
  return extensions
}

/** State of the extensions that wallets use. */
const STATES: Readonly<Record<string, (value: Buffer) => unknown>> = {
  mintCloseAuthority: value => ({ closeAuthority: key(value, 0) }),
  permanentDelegate: value => ({ delegate: key(value, 0) }),
  metadataPointer: value => ({ authority: key(value, 0), metadataAddress: key(value, 32) }),
  defaultAccountState: value => ({ accountState: value[0] === 2 ? 'frozen' : 'initialized' }),
  transferFeeAmount: value => ({ withheldAmount: Number(value.readBigUInt64LE(0)) }),
  memoTransfer: value => ({ requireIncomingTransferMemos: value[0] === 1 }),
  transferFeeConfig,
  tokenMetadata,
}

function transferFeeConfig(value: Buffer): unknown {
  const fee = (at: number) => ({
    epoch: Number(value.readBigUInt64LE(at)),
    maximumFee: value.readBigUInt64LE(at + 8),
    transferFeeBasisPoints: value.readUInt16LE(at + 16),
  })
  return {
    transferFeeConfigAuthority: key(value, 0),
    withdrawWithheldAuthority: key(value, 32),
    withheldAmount: value.readBigUInt64LE(64),
    olderTransferFee: fee(72),
    newerTransferFee: fee(90),
  }
}

/** Update authority, mint, then Borsh strings: name, symbol, uri, and pairs of further ones. */
function tokenMetadata(value: Buffer): unknown {
  let at = 64
  const text = () => {
    const end = at + 4 + value.readUInt32LE(at)
    const part = value.toString('utf8', at + 4, end)
    at = end
    return part
  }
  const [name, symbol, uri] = [text(), text(), text()]
  const count = value.readUInt32LE(at)
  at += 4
  const additionalMetadata = Array.from({ length: count }, () => [text(), text()])
  return { updateAuthority: key(value, 0), mint: key(value, 32), name, symbol, uri, additionalMetadata }
}
