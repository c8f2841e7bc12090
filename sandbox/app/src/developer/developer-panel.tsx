import { useId, useState, useSyncExternalStore } from 'react'
import { Button, CopyButton, formatClock, Glyph, IconButton } from '../design/index.js'
import { readPreference, writePreference } from '../preferences.js'
import { filterTimeline, summarize, type Timeline, type TimelineEntry, timelineToJson } from './timeline.js'

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  const { at, event, payload } = entry
  const [kind = event] = event.split(':')
  return (
    <li>
      <details className="event" data-kind={kind}>
        <summary>
          <span className="event-name">
            {event}
            <span className="event-gist">{summarize(payload)}</span>
          </span>
          <time className="event-time number" dateTime={new Date(at).toISOString()}>
            {formatClock(at)}
          </time>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="code" tabIndex={0} aria-label={`What ${event} says`}>
          <pre>{JSON.stringify(payload, undefined, 2)}</pre>
        </section>
      </details>
    </li>
  )
}

/** Timeline of every kernel event, beside the app that causes it. Secrets are redacted before they are stored. */
export function DeveloperPanel({ timeline, close }: { timeline: Timeline; close: () => void }) {
  const live = useSyncExternalStore(timeline.subscribe, timeline.get)
  const [frozen, setFrozen] = useState<readonly TimelineEntry[]>()
  const [filter, setFilter] = useState('')
  const id = useId()
  const entries = filterTimeline(frozen ?? live, filter)
  const missed = frozen ? live.filter(({ id }) => id > (frozen.at(-1)?.id ?? 0)).length : 0
  const clear = () => {
    timeline.clear()
    setFrozen(undefined)
  }
  return (
    <aside
      className="panel"
      aria-labelledby={`${id}-title`}
      onKeyDown={event => {
        // In the filter field, the first Escape clears the text.
        if (event.key === 'Escape' && !(event.target instanceof HTMLInputElement && filter)) close()
      }}
    >
      <div className="panel-head">
        <h2 id={`${id}-title`}>Events</h2>
        <span className="tag number">{entries.length}</span>
        <IconButton icon="close" label="Close events" className="panel-close" onClick={close} />
      </div>
      <div className="panel-tools">
        <label className="visually-hidden" htmlFor={`${id}-filter`}>
          Filter events
        </label>
        <input
          id={`${id}-filter`}
          className="input"
          type="search"
          placeholder="Filter, e.g. transaction"
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        <button
          type="button"
          className="button button-icon"
          aria-pressed={frozen !== undefined}
          aria-label="Pause"
          title={frozen ? 'Go on' : 'Pause'}
          onClick={() => setFrozen(frozen ? undefined : live)}
        >
          <Glyph name={frozen ? 'play' : 'pause'} size={18} />
        </button>
        <CopyButton text={timelineToJson(entries)} label="Copy events as JSON" />
        <Button kind="quiet" small text="Clear" onClick={clear} />
      </div>
      {frozen && (
        <p className="panel-note small" role="status">
          Paused. {missed === 0 ? 'Nothing new' : `${missed} new`} since.
        </p>
      )}
      {entries.length ? (
        <ol className="events" aria-label="Timeline, newest first">
          {entries.toReversed().map(entry => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      ) : (
        <p className="panel-note soft">
          {filter.trim()
            ? 'No event has these words. Clear the filter to see all.'
            : 'Nothing has happened yet. Connect a wallet, or send something.'}
        </p>
      )}
    </aside>
  )
}

export interface DeveloperPanelState {
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** Stores in this browser whether the panel is open. */
export function useDeveloperPanel(): DeveloperPanelState {
  const [isOpen, setOpen] = useState(() => readPreference('events') === 'open')
  return {
    isOpen,
    toggle: () => {
      writePreference('events', isOpen ? 'closed' : 'open')
      setOpen(!isOpen)
    },
  }
}
