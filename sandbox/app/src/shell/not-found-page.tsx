import type { ReactElement } from 'react'
import { Empty } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { Page } from './page.js'

export function NotFoundPage(): ReactElement {
  return (
    <Page title="Page not found">
      <section className="card">
        <Empty
          icon="explore"
          title="There is nothing at this address"
          action={
            <Link to="/" className="button button-primary">
              To the overview
            </Link>
          }
        >
          Check the address, or begin again from the overview.
        </Empty>
      </section>
    </Page>
  )
}
