/** Builds the approval window's content for one request. */
import bs58 from 'bs58'
import { describeTransaction, formatSol, type Summary } from './describe.js'
import { type Child, div, h, span } from './dom.js'
import { getFee, TOKEN_ACCOUNT_RENT } from './fees.js'
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

export function toView(request: ApprovalRequest): ApprovalView {
  const base = { badge: 'Sandbox', approve: 'Approve', details: [] }
  switch (request.kind) {
    case 'unlock': {
      const lead = 'The wallet is locked. A sandbox wallet has no password: unlocking takes one click.'
      return { ...base, title: 'Unlock wallet', lead, badge: 'Locked', approve: 'Unlock' }
    }
    case 'connect': {
      const lead = 'This site will see your address and may ask you to sign. It can do nothing without your approval.'
      return { ...base, title: 'Connect', lead }
    }
    case 'message': {
      const { messages, hardware } = request
      const title = count('Sign message', messages.length)
      const boxes = messages.map((message, index) => messageBox(message, index, messages.length))
      const details = [hardware && hardwareWarning(), ...boxes]
      return { ...base, title, lead: 'Signing costs nothing and sends no transaction.', details }
    }
    case 'sign-in': {
      const { texts, hardware, foreignDomain } = request
      const details = [
        hardware && hardwareWarning(),
        foreignDomain && warning('This message is for another site than the one that asks.'),
        ...texts.map((text, index) => textBox(text, `Message ${index + 1}`)),
      ]
      return {
        ...base,
        title: 'Sign in',
        lead: 'Your signature proves to this site that the account is yours.',
        details,
      }
    }
    case 'text': {
      const { title, lead, texts } = request
      return { ...base, title, lead, details: texts.map((text, index) => textBox(text, `Content ${index + 1}`)) }
    }
    case 'transaction': {
      const { transactions, address, chain, send } = request
      const { length } = transactions
      return {
        ...base,
        title: count('Approve transaction', length),
        lead: send ? 'The wallet signs and sends it.' : 'The wallet signs it; the site sends it.',
        badge: chain ? chainName(chain) : base.badge,
        details: transactions.map((transaction, index) => transactionCard(transaction, address, index, length)),
      }
    }
  }
}

function count(title: string, n: number): string {
  return n > 1 ? `${title}s (${n})` : title
}

function warning(text: string): HTMLElement {
  return h('p', { className: 'warning', role: 'alert' }, text)
}

function hardwareWarning(): HTMLElement {
  return warning('This hardware wallet signs transactions only: it will refuse this.')
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

function transactionCard(transaction: Transaction, account: string, index: number, of: number): HTMLElement {
  const [payer = ''] = transaction.signers
  const summaries = describeTransaction(transaction)
  const rows = summaries.map(instructionRow)
  const rent = TOKEN_ACCOUNT_RENT * BigInt(summaries.filter(({ kind }) => kind === 'opening').length)
  const isPayer = payer === account
  return h(
    'section',
    { className: 'card', 'aria-label': of > 1 ? `Transaction ${index + 1} of ${of}` : 'Transaction' },
    ...rows,
    rows.length === 0 && h('p', {}, 'This transaction does nothing but pay its fee.'),
    div(
      'grow',
      span('small', `Network fee: ${formatSol(getFee(transaction))}`),
      rent > 0n && span('small', `Deposit for new token accounts: about ${formatSol(rent)}`),
      isPayer ? span('small', 'This account pays the fee.') : span('small', 'Fee paid by ', span('mono', payer)),
    ),
  )
}

/** Class of the element that names a recipient by its token account, until its owner is known. */
export const TOKEN_ACCOUNT = 'token-account'

function tokensRow({ amount, mint, account, owner }: Summary & { readonly kind: 'tokens' }): HTMLElement {
  const to = span(
    'small',
    ...(owner === undefined
      ? ['to token account ', span(`mono ${TOKEN_ACCOUNT}`, account)]
      : ['to ', span('mono', owner)]),
  )
  return div(
    'grow',
    span('small', 'Send'),
    span('amount', amount),
    to,
    mint !== undefined && span('small', 'Token ', span('mono', mint)),
  )
}

function instructionRow(summary: Summary): HTMLElement {
  switch (summary.kind) {
    case 'transfer':
      return div(
        'grow',
        span('small', 'Send'),
        span('amount', formatSol(summary.lamports)),
        span('small', 'to ', span('mono', summary.to)),
      )
    case 'tokens':
      return tokensRow(summary)
    case 'opening':
      return div('grow', span('small', 'Create a token account'), span('small', 'for ', span('mono', summary.owner)))
    case 'memo':
      return div('grow', span('small', 'Memo'), h('span', {}, summary.text))
    case 'other': {
      const data = span('mono', summary.data || 'none')
      return div('grow', span('strong', summary.program), span('small', `${summary.accounts} accounts · data `, data))
    }
  }
}
