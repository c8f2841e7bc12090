import { Button, Empty, Loading } from '@keybay/react/ui'
import { Page, useNoteFocus } from './page.js'

/** Stands in for a page while its code loads; keeps the height, so that the footer does not jump. */
export function PageLoading() {
  useNoteFocus()
  return (
    <div className="page page-loading">
      <h1 className="visually-hidden">Loading</h1>
      <Loading what="the page" widths={[18, 40]} />
    </div>
  )
}

/** Shown when the code of a page could not be loaded. */
export function PageNotLoaded() {
  return (
    <Page title="This page didn’t load">
      <section className="keybay-card">
        <Empty
          icon="alert"
          title="We couldn’t reach the app’s server"
          action={<Button kind="primary" text="Reload" onClick={() => location.reload()} />}
        >
          Check your connection, then reload.
        </Empty>
      </section>
    </Page>
  )
}
