import { useSettings } from './chain/use-loaded.js'
import { inboxUrl } from './config.js'

/** In the sandbox no mail leaves this machine: here it can be read. @param to whose messages */
export function InboxLink({ to }: { readonly to?: string | undefined }) {
  const { data } = useSettings()
  if (inboxUrl === undefined || data?.environment !== 'sandbox') return null
  const href = to === undefined ? inboxUrl : `${inboxUrl}/?to=${encodeURIComponent(to)}`
  return (
    <p className="small">
      This is a sandbox: mail and SMS stay on this machine.{' '}
      <a href={href} target="_blank" rel="noopener noreferrer">
        Open inbox<span className="visually-hidden"> (opens a new tab)</span>
      </a>
    </p>
  )
}
