/** What the user reads before a share that no longer signs is erased. */
import { SCHEMES } from '../../mpc/index.js'
import type { KeptSet } from '../store/kept.js'

interface Question {
  readonly title: string
  readonly sentences: readonly string[]
  readonly problems: readonly string[]
  readonly action: string
}

function lossOf({ scheme }: Pick<KeptSet, 'scheme'>): string {
  return SCHEMES[scheme].parties.some(party => party === 'B1')
    ? 'Without it, your backup alone can’t recover the wallet if the service is gone. Copy this share first, unless another browser of yours works.'
    : 'This wallet has no backup. Without this share, you lose the wallet and everything in it.'
}

/** Names what is lost, as far as this browser knows. */
export function erasureQuestion(kept: Pick<KeptSet, 'kind' | 'scheme' | 'retired'>): Question {
  const isPrimary = kept.kind === 'primary'
  const sentence =
    kept.retired?.reason === 'revoked'
      ? 'The service revoked this browser’s key share. The share no longer signs, and this browser still keeps it.'
      : 'This key share was never put in force, and this browser still keeps it.'
  return {
    title: 'Erase the key share in this browser?',
    sentences: [sentence],
    problems: [isPrimary ? lossOf(kept) : 'You can’t undo this.', ...(isPrimary ? ['You can’t undo this.'] : [])],
    action: 'Erase',
  }
}
