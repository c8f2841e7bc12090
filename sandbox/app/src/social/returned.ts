/** How a sign-in ended that left the page: the dialog in which it began is gone, so it is said as a toast. */
import type { AnyCore } from '@keybay/kernel'
import { toast } from '../shell/toasts.js'
import { explain } from '../wording.js'

/** Our parameter of the return, as the page was opened with it. */
const isReturn = new URLSearchParams(location.search).has('keybay_social')

export function tellReturned({ on }: Pick<AnyCore, 'on'>): void {
  if (!isReturn) return
  const offs = [
    on('connection:failed', ({ connectorId, error }) => {
      if (connectorId.startsWith('social:')) end(explain(error), 'bad')
    }),
    on('account:signed-in', () => end('You are signed in')),
    on('account:credentials-changed', () => end('Added to your account')),
  ]
  const end = (text: string, kind?: 'bad') => {
    for (const off of offs) off()
    toast(text, kind)
  }
}
