/** Describes the outputs of a PSBT. */
import type { Psbt } from '@keybay/waas/btc'
import { toHex } from '@keybay/waas/evm'
import type { Action } from '../../screen/questions.js'

const DIGITS = 8
function inBitcoin(satoshi: bigint): string {
  const text = satoshi.toString().padStart(DIGITS + 1, '0')
  const part = text.slice(-DIGITS).replace(/0+$/, '')
  return `${text.slice(0, -DIGITS)}${part && `.${part}`} BTC`
}
/** Threshold of a lock time: lower values are a block height, others are seconds since epoch. */
const FIRST_TIME = 500_000_000

function notBefore(lockTime: number): string {
  return lockTime < FIRST_TIME ? `Block ${lockTime}` : new Date(lockTime * 1000).toISOString()
}

function sum(all: readonly bigint[]): bigint {
  return all.reduce((total, amount) => total + amount, 0n)
}

/** Describes a transaction with inputs of others, and what it costs this wallet. */
function describeShare({ own, others, outputs }: Psbt): Action {
  const pays = own - sum(outputs.filter(({ isOwn }) => isOwn).map(({ amount }) => amount))
  return {
    title: 'Together with others',
    lines: [
      { label: 'From this wallet', value: inBitcoin(own) },
      { label: `From others, ${others.length} of the inputs`, value: inBitcoin(sum(others)) },
      { label: pays < 0n ? 'Comes to this wallet' : 'Leaves this wallet', value: inBitcoin(pays < 0n ? -pays : pays) },
    ],
  }
}

export function describePsbt(psbt: Psbt): readonly Action[] {
  return [...(psbt.others.length > 0 ? [describeShare(psbt)] : []), ...describePayments(psbt)]
}

function describePayments({ outputs, fee, lockTime }: Psbt): readonly Action[] {
  return [
    ...outputs.map(
      ({ address, script, amount, isOwn }): Action => ({
        title: isOwn ? 'Back to this wallet' : 'Send bitcoin',
        lines: [
          { label: 'Amount', value: inBitcoin(amount) },
          ...(isOwn
            ? []
            : [
                {
                  label: address ? 'To' : 'To the script',
                  value: address ?? toHex(script),
                  address: true,
                  recipient: amount > 0n ? ('paid' as const) : ('unpaid' as const),
                },
              ]),
        ],
        ...(address === undefined && { unclear: true }),
      }),
    ),
    {
      title: 'Fee',
      lines: [
        { label: 'Amount', value: inBitcoin(fee) },
        ...(lockTime > 0 ? [{ label: 'Not before', value: notBefore(lockTime) }] : []),
      ],
    },
  ]
}
