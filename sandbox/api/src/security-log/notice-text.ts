/** Writes the mail about a security event. It has no link to click, no code and no full address. */
import type { SecurityEventKind } from '@keybay/kernel/spec'
import type { Place } from './place.js'

interface NoticeText {
  readonly subject: string
  readonly text: string
}

interface NoticeFacts {
  readonly kind: SecurityEventKind
  /** Name of the environment. */
  readonly name: string
  /** In ms since epoch. */
  readonly at: number
  readonly place: Place | undefined
  readonly detail: string | undefined
}

type Sentences = readonly [subject: string, sentence: string]

/** Events that the user gets a mail about. */
const NOTICES: { readonly [Kind in SecurityEventKind]?: Sentences } = {
  'new-device': ['New sign-in', 'Someone signed in to your account from a new device or network.'],
  'credential-added': ['New way to sign in', 'A new way to sign in was added to your account.'],
  'credential-removed': ['Way to sign in removed', 'A way to sign in was removed from your account.'],
  'factor-added': ['Second factor added', 'A second factor was added to your account.'],
  'factor-removed': ['Second factor removed', 'A second factor was removed from your account.'],
  'recovery-codes-renewed': ['New recovery codes', 'New recovery codes were made. The old ones no longer work.'],
  'wallet-exported': ['Private key exported', 'The private key of a wallet of your account was exported.'],
  'backup-read': ['Wallet backup opened', 'A backup of a wallet of your account was read.'],
  'backup-removed': [
    'Wallet backup erased',
    'A backup of a wallet of your account was erased. Your wallet can get it back for 30 days.',
  ],
  'frame-key-added': ['New browser for wallet backups', 'A new browser can now keep and read your wallet backups.'],
  'accounts-merged': ['Accounts merged', 'Another account was merged into one account, with its ways to sign in.'],
  'deletion-scheduled': [
    'Account will be deleted',
    'Your account will be deleted in 30 days. Until then you can sign in and keep it.',
  ],
}

/** @returns undefined for an event that is only logged */
export function noticeText({ kind, name, at, place, detail }: NoticeFacts): NoticeText | undefined {
  const [subject, sentence] = NOTICES[kind] ?? []
  if (subject === undefined || sentence === undefined) return undefined
  const facts = [
    ['Time', `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['Device', place?.device],
    ['Network', place?.network],
    ['Concerns', detail],
  ]
  const lines = facts.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`]))
  const advice = `If this was you, there is nothing to do. If not, open ${name} yourself, not by a link in a message. Sign in, end all other sessions and remove what you do not recognize.`
  return { subject: `${subject} – ${name}`, text: [sentence, '', ...lines, '', advice].join('\n') }
}
