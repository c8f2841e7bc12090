import {
  Button,
  Card,
  Failure,
  Glyph,
  Item,
  Loading,
  protectionMessages,
  securityMessages,
  useDates,
  useMessages,
} from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useSecurityLog } from '../react/security-log.js'
import type { SecurityEvent } from '../user.js'

const EVENTS = protectionMessages.texts
const METHODS = securityMessages.texts

function has<T extends object>(texts: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(texts, key)
}

/** Returns what the API says in English or by a code, in the language of the UI. */
function useNames() {
  const { text } = useMessages(protectionMessages)
  const { text: methodText } = useMessages(securityMessages)
  return {
    /** A newer API may send kinds that this page does not know. */
    event(kind: string): string {
      const key = `event_${kind}` as const
      return text(has(EVENTS, key) ? key : 'event_none')
    },
    /** @param detail method, factor, or an address that stays as it is */
    detail(detail: string): string {
      const method = `method_${detail}` as const
      const factor = `factor_${detail}` as const
      return has(METHODS, method) ? methodText(method) : has(EVENTS, factor) ? text(factor) : detail
    },
    /** @param device e.g. `Chrome on Linux` */
    device(device: string): string {
      const [browser = '', system] = device.split(' on ')
      return system === undefined ? device : methodText('browserOn', { browser, system })
    },
  }
}

function EventRow({ event }: { readonly event: SecurityEvent }) {
  const names = useNames()
  const { moment } = useDates()
  const { kind, at, device, network, detail } = event
  const facts = [moment(at), device && names.device(device), network].filter(fact => fact !== null)
  return (
    <Item mark={<Glyph name="shield" size={24} />}>
      <p className="keybay-item-title">
        {names.event(kind)} {detail !== null && <bdi className="keybay-soft keybay-break">{names.detail(detail)}</bdi>}
      </p>
      <p className="keybay-soft keybay-small">
        {facts.map((fact, index) => (
          <span key={fact}>
            {index > 0 && ' · '}
            <bdi>{fact}</bdi>
          </span>
        ))}
      </p>
    </Item>
  )
}

/** Lists what happened to the account, so that the user notices what they did not do. */
export function SecurityLogCard(): ReactElement {
  const { text } = useMessages(protectionMessages)
  const { events, status, error, hasMore, more, refresh } = useSecurityLog()
  const title = text(events ? 'logMoreFailed' : 'logFailed')
  return (
    <Card title={text('log')}>
      {!events && status === 'loading' && <Loading what={text('logRead')} widths={[24, 20]} />}
      {events?.length === 0 && <p className="keybay-soft">{text('logEmpty')}</p>}
      {events && events.length > 0 && (
        <ul className="keybay-items" aria-label={text('log')}>
          {events.map(event => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {status === 'error' && <Failure title={title} error={error} retry={events ? more : refresh} />}
      {hasMore && status !== 'error' && (
        <div className="keybay-line">
          <Button small text={text('logMore')} busy={status === 'loading'} onClick={more} />
        </div>
      )}
    </Card>
  )
}
