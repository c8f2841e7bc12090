import {
  Button,
  Card,
  Failure,
  Glyph,
  Item,
  Loading,
  type Messages,
  protectionMessages,
  useDates,
  useMessages,
} from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useSecurityLog } from '../react/security-log.js'
import type { SecurityEvent } from '../user.js'

type Texts = typeof protectionMessages.texts

function isKnown(key: string): key is keyof Texts & `event_${string}` {
  return Object.hasOwn(protectionMessages.texts, key)
}

/** Returns what a security event is called. A newer API may send kinds that this page does not know. */
function nameEvent(kind: string, { text }: Messages<Texts>): string {
  const key = `event_${kind}`
  return text(isKnown(key) ? key : 'event_none')
}

function EventRow({ event }: { readonly event: SecurityEvent }) {
  const messages = useMessages(protectionMessages)
  const { moment } = useDates()
  const { kind, at, device, network, detail } = event
  const facts = [moment(at), device, network].filter(fact => fact !== null)
  return (
    <Item mark={<Glyph name="shield" size={24} />}>
      <p className="keybay-item-title">
        {nameEvent(kind, messages)} {detail !== null && <bdi className="keybay-soft keybay-break">{detail}</bdi>}
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
