import { Empty, Page } from '../design/index.js'
import { LinkButton } from '../routing/link.js'

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <section className="keybay-card">
        <Empty
          icon="explore"
          title="There is nothing at this address"
          action={<LinkButton to="/" kind="primary" text="To the overview" />}
        >
          Check the address, or begin again from the overview.
        </Empty>
      </section>
    </Page>
  )
}
