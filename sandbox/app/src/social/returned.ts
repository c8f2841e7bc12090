/** Shows the result of a redirect sign-in as a toast, because the dialog in which it began is gone. */
import type { AnyCore } from '@keybay/kernel'
import { toast } from '../shell/toasts.js'
import { explain } from '../wording.js'

/** The `keybay_social` return parameter, read from the URL that the page was opened with. */
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
