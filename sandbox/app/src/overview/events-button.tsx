import { useContext } from 'react'
import { Button } from '../design/index.js'
import { Devtools } from '../shell/use-devtools.js'

/** Opens the waterfall of events: beside the page on a wide screen, below it on a narrow one. */
export function EventsButton() {
  const panel = useContext(Devtools)
  return (
    <div className="row welcome-events">
      <p className="soft">
        {panel.isOpen
          ? 'Each action shows as a waterfall in the events panel: clicks, prompts, wallet and chain, with times.'
          : 'See what happens inside: each action as a waterfall of clicks, prompts, wallet and chain, with times.'}
      </p>
      {!panel.isOpen && <Button small icon="code" text="Watch it happen" onClick={panel.toggle} />}
    </div>
  )
}
