import { useAction, useKeybay } from '@keybay/react'
import { type FormEvent, useCallback, useId, useRef, useState } from 'react'
import { useCurrentNetwork, useLoaded } from '../chain/use-loaded.js'
import { Button } from '../design/button.js'
import { Card, Fact } from '../design/card.js'
import { Loading, Notice } from '../design/feedback.js'
import { Field } from '../design/field.js'
import { Page } from '../design/page.js'
import { toast } from '../design/toasts.js'
import { explain } from '../wording.js'

interface NodeCardProps {
  readonly networkId: number
  /** Display name of the network. */
  readonly name: string
}
/** Selects the node through which this browser reaches a network: the network's own, or one that the user enters. */
function NodeCard({ networkId, name }: NodeCardProps) {
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
    <Card title={`Your own node for ${name}`}>
      <p className="soft">
        Balances, transfers and everything else on this page then go through it alone. It must be of this network, which
        is checked, and it is kept on this device as you write it.
      </p>
      {status === 'loading' && <Loading what="your node" widths={[24]} />}
      {status === 'failed' && (
        <Notice kind="bad" title="Your node could not be looked up.">
          <Button small text="Try again" onClick={reload} />
        </Notice>
      )}
      {data && (
        <dl className="facts">
          <Fact name="In use" className={data.own === undefined ? 'soft' : 'mono small break'}>
            {data.own ?? 'The network’s own nodes'}
          </Fact>
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
          <Button kind="primary" text={busy ? 'Asking the node …' : 'Use this node'} type="submit" busy={busy} />
          {data?.own !== undefined && <Button text="Remove mine" onClick={() => removing.run()} />}
        </div>
      </form>
    </Card>
  )
}

/** Node settings of the network in use; the user selects the network in the bar above. */
export function NetworkPage() {
  const { networkId, name } = useCurrentNetwork()
  return (
    <Page title="Network" width="narrow">
      <NodeCard key={networkId} networkId={networkId} name={name} />
    </Page>
  )
}
