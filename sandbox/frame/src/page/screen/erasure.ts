/** Consent screen for erasing an unusable share. */
import { SCHEMES } from '@keybay/waas/mpc'
import type { KeptSet } from '../store/kept.js'

interface Question {
  readonly title: string
  readonly sentences: readonly string[]
  readonly problems: readonly string[]
  readonly action: string
}

/** Lists what the user loses, as far as this browser knows. */
export function erasureQuestion({ kind, scheme, aside }: Pick<KeptSet, 'kind' | 'scheme' | 'aside'>): Question {
  const loss = SCHEMES[scheme].parties.some(party => party === 'B1')
    ? 'Without it, your backup alone can’t recover the wallet if the service is gone. Copy this share first.'
    : 'This wallet has no backup. Unless another device works, you lose the wallet.'
  return {
    title: 'Erase the key share in this browser?',
    sentences: [
      'It no longer signs. This browser still keeps it.',
      aside ? 'The other shares that this browser keeps of this wallet are erased too.' : '',
    ].filter(Boolean),
    problems: [kind === 'primary' ? loss : '', 'You can’t undo this.'].filter(Boolean),
    action: 'Erase',
  }
}
