/** Describes what an EVM account signs. Unknown content is shown as unknown, never omitted. */
import { checksummed, type EvmTransaction, type TypedData, type TypedNode, toHex } from '@keybay/waas/evm'
import type { Action, Line } from '../../screen/questions.js'

const CHAINS: ReadonlyMap<bigint, string> = new Map([
  [1n, 'Ethereum'],
  [10n, 'OP Mainnet'],
  [56n, 'BNB Smart Chain'],
  [137n, 'Polygon'],
  [8453n, 'Base'],
  [42161n, 'Arbitrum One'],
  [11155111n, 'Sepolia (test network)'],
])

function chainLine(id: bigint): Line {
  return { label: 'Chain', value: `${CHAINS.get(id) ?? 'Unknown'} (${id})` }
}
const DIGITS = 18
function inEther(wei: bigint): string {
  const text = wei.toString().padStart(DIGITS + 1, '0')
  const part = text.slice(-DIGITS).replace(/0+$/, '')
  return `${text.slice(0, -DIGITS)}${part && `.${part}`} ETH`
}
const MAX_TEXT = 2000

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} … (${text.length} characters)` : text
}

function address(label: string, value: string): Line {
  return { label, value, address: true }
}

function recipient(value: string, isPaid: boolean): Line {
  return { ...address('To', value), recipient: isPaid ? 'paid' : 'unpaid' }
}

function word(data: Uint8Array, index: number): Uint8Array {
  return data.subarray(4 + index * 32, 36 + index * 32)
}

function addressIn(data: Uint8Array, index: number): string {
  return checksummed(word(data, index).subarray(12))
}

function amountIn(data: Uint8Array, index: number): bigint {
  return BigInt(toHex(word(data, index)))
}

function amountLine(label: string, amount: bigint): Line {
  // Only the token knows its decimals.
  return { label: `${label}, smallest units`, value: amount.toString() }
}

/** Collectibles (ERC-721) have the same calls, with the number of the item in place of the amount. */
const COLLECTIBLE: Line = { label: 'Note', value: 'For a collectible, the amount is the number of the item.' }

interface TokenCall {
  /** Number of words after the selector. */
  readonly words: number
  describe(data: Uint8Array, sender: string): Action
}
/** ERC-20 calls by 4-byte selector. */
const TOKEN: ReadonlyMap<string, TokenCall> = new Map([
  [
    '0xa9059cbb',
    {
      words: 2,
      describe(data) {
        const amount = amountIn(data, 1)
        return {
          title: 'Send tokens',
          lines: [recipient(addressIn(data, 0), amount > 0n), amountLine('Amount', amount)],
        }
      },
    },
  ],
  [
    '0x23b872dd',
    {
      words: 3,
      describe(data, sender) {
        const [from, amount] = [addressIn(data, 0), amountIn(data, 2)]
        const isOwn = from === sender
        const to = recipient(addressIn(data, 1), isOwn && amount > 0n)
        return {
          title: isOwn ? 'Send tokens' : 'Move tokens of another address',
          lines: [address('From', from), to, amountLine('Amount', amount), COLLECTIBLE],
        }
      },
    },
  ],
  [
    '0x095ea7b3',
    {
      words: 2,
      describe: data => ({
        title: 'Allow another address to spend your tokens',
        lines: [address('Spender', addressIn(data, 0)), amountLine('Up to', amountIn(data, 1)), COLLECTIBLE],
      }),
    },
  ],
])

function call(data: Uint8Array, sender: string): Action | undefined {
  if (data.length === 0) return undefined
  const known = TOKEN.get(toHex(data.subarray(0, 4)))
  if (known && data.length === 4 + known.words * 32) return known.describe(data, sender)
  return {
    title: 'A call that this wallet cannot read',
    lines: [{ label: 'Data', value: cut(toHex(data)), address: true }],
    unclear: true,
  }
}

/** @param sender address of the account that signs */
export function describeEvmTransaction(transaction: EvmTransaction, sender: string): readonly Action[] {
  const { chainId, to, value, data, gasLimit, maxFeePerGas, nonce } = transaction
  const inside = call(data, sender)
  const isSending = value > 0n || !inside
  return [
    {
      title: to === undefined ? 'Make a contract' : isSending ? 'Send ether' : 'Call a contract',
      lines: [
        chainLine(chainId),
        ...(to === undefined ? [] : [isSending ? recipient(to, value > 0n) : address('To', to)]),
        { label: 'Amount', value: inEther(value) },
        { label: 'Fee, at most', value: inEther(gasLimit * maxFeePerGas) },
        { label: 'Number', value: nonce.toString() },
      ],
    },
    ...(inside ? [inside] : []),
  ]
}

/** Returns one line for each value, labelled with its path. */
function toLines(nodes: readonly TypedNode[], path: string): readonly Line[] {
  return nodes.flatMap(({ name, type, text, inside }) => {
    const label = `${path}${name}`
    if (!inside) return [{ label, value: cut(text ?? ''), address: type === 'address' || type.startsWith('bytes') }]
    return inside.length === 0 ? [{ label, value: 'nothing' }] : toLines(inside, `${label} › `)
  })
}

export function describeTypedData({ primaryType, domain, message }: TypedData): readonly Action[] {
  return [
    { title: 'For', lines: toLines(domain, '') },
    { title: primaryType, lines: toLines(message, '') },
  ]
}

function readable(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the invisible characters
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

export function describeMessage(content: Uint8Array): readonly Action[] {
  const text = readable(content)
  return text === undefined
    ? [
        {
          title: 'Unreadable bytes',
          lines: [{ label: 'Bytes', value: cut(toHex(content)), address: true }],
          unclear: true,
        },
      ]
    : [{ title: 'Message', lines: [{ label: 'Text', value: text }] }]
}
