/** Builds the approval window's content for one request. */
import bs58 from 'bs58'
import { describeInstruction, formatSol, type Summary } from './describe.js'
import { type Child, h } from './dom.js'
import { chainName } from './parts.js'
import type { ApprovalRequest } from './requests.js'
import type { Transaction } from './transaction.js'

export interface ApprovalView {
  /** Accessible name of the window. */
  readonly title: string
  readonly lead: string
  /** Text in the header: the chain, if the request names one. */
  readonly badge: string
  readonly approve: string
  readonly details: readonly Child[]
}

const BADGE = 'Sandbox'

export function toView(request: ApprovalRequest): ApprovalView {
  switch (request.kind) {
    case 'unlock':
      return {
        title: 'Unlock wallet',
        lead: 'The wallet is locked. A sandbox wallet has no password: unlocking takes one click.',
        badge: 'Locked',
        approve: 'Unlock',
        details: [],
      }
    case 'connect':
      return {
        title: 'Connect',
        lead: 'This site will see your address and may ask you to sign. It can do nothing without your approval.',
        badge: BADGE,
        approve: 'Approve',
        details: [],
      }
    case 'message':
      return {
        title: count('Sign message', request.messages.length),
        lead: 'Signing costs nothing and sends no transaction.',
        badge: BADGE,
        approve: 'Approve',
        details: [
          request.hardware && hardwareWarning(),
          ...request.messages.map((message, index) => messageBox(message, index, request.messages.length)),
        ],
      }
    case 'sign-in':
      return {
        title: 'Sign in',
        lead: 'Your signature proves to this site that the account is yours.',
        badge: BADGE,
        approve: 'Approve',
        details: [
          request.hardware && hardwareWarning(),
          request.foreignDomain &&
            h('p', { className: 'warning', role: 'alert' }, 'This message is for another site than the one that asks.'),
          ...request.texts.map((text, index) => textBox(text, `Message ${index + 1}`)),
        ],
      }
    case 'text':
      return {
        title: request.title,
        lead: request.lead,
        badge: BADGE,
        approve: 'Approve',
        details: request.texts.map((text, index) => textBox(text, `Content ${index + 1}`)),
      }
    case 'transaction':
      return {
        title: count('Approve transaction', request.transactions.length),
        lead: request.send ? 'The wallet signs and sends it.' : 'The wallet signs it; the site sends it.',
        badge: request.chain ? chainName(request.chain) : BADGE,
        approve: 'Approve',
        details: request.transactions.map((transaction, index) =>
          transactionCard(transaction, request.address, index, request.transactions.length),
        ),
      }
  }
}

function count(title: string, n: number): string {
  return n > 1 ? `${title}s (${n})` : title
}

function hardwareWarning(): HTMLElement {
  return h(
    'p',
    { className: 'warning', role: 'alert' },
    'This hardware wallet signs transactions only: it will refuse this.',
  )
}

/** Keyboard users can focus a scrolling box, so it needs a name and a role. */
function textBox(text: string, label: string): HTMLElement {
  return h('pre', { tabIndex: 0, role: 'group', 'aria-label': label }, text)
}

function messageBox(message: Uint8Array, index: number, of: number): HTMLElement {
  const label = of > 1 ? `Message ${index + 1} of ${of}` : 'Message'
  try {
    return textBox(new TextDecoder('utf-8', { fatal: true }).decode(message), label)
  } catch {
    return textBox(`${message.length} bytes, base58:\n${bs58.encode(message)}`, label)
  }
}

/** Transfers come first, regardless of the instructions that the app put before them. */
const ORDER = ['transfer', 'memo', 'other']

function byWeight(summary: Summary, other: Summary): number {
  return ORDER.indexOf(summary.kind) - ORDER.indexOf(other.kind)
}

function transactionCard(transaction: Transaction, account: string, index: number, of: number): HTMLElement {
  const [payer = ''] = transaction.signers
  return h(
    'section',
    { className: 'card', 'aria-label': of > 1 ? `Transaction ${index + 1} of ${of}` : 'Transaction' },
    ...transaction.instructions.map(describeInstruction).sort(byWeight).map(instructionRow),
    transaction.instructions.length === 0 && h('p', {}, 'This transaction does nothing but pay its fee.'),
    h(
      'p',
      { className: 'small' },
      payer === account ? 'This account pays the fee.' : 'Fee paid by ',
      payer !== account && h('span', { className: 'mono' }, payer),
    ),
  )
}

function instructionRow(summary: Summary): HTMLElement {
  switch (summary.kind) {
    case 'transfer':
      return h(
        'div',
        { className: 'grow' },
        h('span', { className: 'small' }, 'Send'),
        h('span', { className: 'amount' }, formatSol(summary.lamports)),
        h('span', { className: 'small' }, 'to ', h('span', { className: 'mono' }, summary.to)),
      )
    case 'memo':
      return h('div', { className: 'grow' }, h('span', { className: 'small' }, 'Memo'), h('span', {}, summary.text))
    case 'other':
      return h(
        'div',
        { className: 'grow' },
        h('span', { className: 'strong' }, summary.program),
        h(
          'span',
          { className: 'small' },
          `${summary.accounts} accounts · data `,
          h('span', { className: 'mono' }, summary.data || 'none'),
        ),
      )
  }
}
