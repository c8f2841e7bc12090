import type { SecurityEvent } from '@keybay/account'
import { useSecurityLog } from '@keybay/account/react'
import { Button, Card, Failure, formatMoment, Glyph, Item, Loading } from '../design/index.js'
import { eventName } from './names.js'

function EventRow({ event }: { readonly event: SecurityEvent }) {
  const { kind, at, device, network, detail } = event
  const facts = [formatMoment(at), device, network].filter(fact => fact !== null)
  return (
    <Item mark={<Glyph name="shield" size={24} />}>
      <p className="keybay-item-title">
        {eventName(kind)} {detail !== null && <span className="soft break">{detail}</span>}
      </p>
      <p className="soft small">{facts.join(' · ')}</p>
    </Item>
  )
}

/** Lists what happened to the account, so that the user notices what they did not do. */
export function SecurityLogCard() {
  const { events, status, error, hasMore, more, refresh } = useSecurityLog()
  const title = events ? 'Older events could not be loaded.' : 'Your security log could not be loaded.'
  return (
    <Card title="Security log">
      {!events && status === 'loading' && <Loading what="your security log" widths={[24, 20]} />}
      {events?.length === 0 && <p className="soft">Nothing has happened yet.</p>}
      {events && events.length > 0 && (
        <ul className="keybay-items" aria-label="Security log">
          {events.map(event => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {status === 'error' && <Failure title={title} error={error} retry={events ? more : refresh} />}
      {hasMore && status !== 'error' && (
        <div className="row">
          <Button small text="Show older events" busy={status === 'loading'} onClick={more} />
        </div>
      )}
    </Card>
  )
}
