import { useAction, useKeybay } from '@keybay/react'
import { type FormEvent, type ReactElement, useCallback, useId, useRef, useState } from 'react'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { useLoaded } from '../chain/use-loaded.js'
import { Loading, Notice, Skeleton } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { Page } from '../shell/page.js'
import { toast } from '../shell/toasts.js'
import { explain } from '../wording.js'

interface NodeCardProps {
  readonly networkId: number
  /** Display name of the network. */
  readonly name: string
}
/** Selects the node through which this browser reaches a network: the network's own, or one that the user enters. */
function NodeCard({ networkId, name }: NodeCardProps): ReactElement {
  const { solana } = useKeybay()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const load = useCallback(
    async () => ({ own: await (await solana.steps()).nodes.get(networkId) }),
    [solana, networkId],
  )
  const { status, data, reload } = useLoaded(load)
  const saving = useAction(async (signal, url: string) => {
    try {
      await (await solana.steps()).nodes.set(url, { networkId, signal })
    } catch (error) {
      field.current?.focus()
      throw error
    }
    setTyped('')
    reload()
    toast(`${name} is reached through your own node`)
  })
  const removing = useAction(async () => {
    await (await solana.steps()).nodes.remove(networkId)
    reload()
    // The focused button is removed.
    field.current?.focus()
    toast(`${name} is reached through its own nodes again`)
  })
  const busy = saving.status === 'pending'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) saving.run(typed)
  }
  const problem = saving.error && explain(saving.error)
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Your own node for {name}</h2>
      <p className="soft">
        Balances, transfers and everything else on this page then go through it alone. It must be of this network, which
        is checked, and it is kept on this device as you write it.
      </p>
      {status === 'loading' && (
        <p>
          <Skeleton width={24} />
          <Loading what="your node" />
        </p>
      )}
      {status === 'failed' && (
        <Notice kind="bad" title="Your node could not be looked up.">
          <button type="button" className="button button-small" onClick={reload}>
            Try again
          </button>
        </Notice>
      )}
      {data && (
        <dl className="facts">
          <div>
            <dt>In use</dt>
            <dd className={data.own === undefined ? 'soft' : 'mono small break'}>
              {data.own ?? 'The network’s own nodes'}
            </dd>
          </div>
        </dl>
      )}
      <form className="stack" onSubmit={submit} noValidate>
        <Field id={`${id}-url`} label="Address of the node" error={problem}>
          {aria => (
            <input
              {...aria}
              ref={field}
              className="input input-mono"
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://…"
              value={typed}
              onChange={event => {
                setTyped(event.target.value)
                saving.reset()
              }}
            />
          )}
        </Field>
        <div className="row">
          <button type="submit" className="button button-primary" aria-disabled={busy}>
            {busy ? 'Asking the node …' : 'Use this node'}
          </button>
          {data?.own !== undefined && (
            <button type="button" className="button" onClick={() => removing.run()}>
              Remove mine
            </button>
          )}
        </div>
      </form>
    </section>
  )
}

/** Node settings of the network in use; the user selects the network in the bar above. */
export function NetworkPage(): ReactElement {
  const { networkId, name } = useCurrentNetwork()
  return (
    <Page title="Network" width="narrow">
      <NodeCard key={networkId} networkId={networkId} name={name} />
    </Page>
  )
}
