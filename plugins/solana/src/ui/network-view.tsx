import { useAction, useKeybay } from '@keybay/react'
import { useCallback, useState } from 'react'
import { useCurrentNetwork, useLoaded } from '../chain/use-loaded.js'
import { Button, Card, Fact, Failure, LineForm, Loading, Page, toast } from '../design/index.js'
import { explain } from '../wording.js'

interface NodeCardProps {
  readonly networkId: number
  /** Display name of the network. */
  readonly name: string
}
/** Selects the node through which this browser reaches a network: the network's own, or one that the user enters. */
function NodeCard({ networkId, name }: NodeCardProps) {
  const { solana } = useKeybay()
  const load = useCallback(
    async () => ({ url: await (await solana.steps()).nodes.get(networkId) }),
    [solana, networkId],
  )
  const { status, data, reload } = useLoaded(load)
  /** Each change begins with an empty field, which takes the focus of the button that goes. */
  const [round, setRound] = useState(0)
  const finish = (text: string) => {
    setRound(round + 1)
    reload()
    toast(text)
  }
  const saving = useAction(async (signal, url: string) => {
    await (await solana.steps()).nodes.set(url, { networkId, signal })
    finish(`${name} is reached through your own node`)
  })
  const removing = useAction(async () => {
    await (await solana.steps()).nodes.remove(networkId)
    finish(`${name} is reached through its own nodes again`)
  })
  const busy = saving.status === 'pending'
  return (
    <Card title={`Your own node for ${name}`}>
      <p className="soft">
        Balances, transfers and everything else on this page then go through it alone. It must be of this network, which
        is checked, and it is kept on this device as you write it.
      </p>
      {status === 'loading' && <Loading what="your node" widths={[24]} />}
      {status === 'failed' && <Failure title="Your node could not be looked up." retry={reload} />}
      {data && (
        <dl className="keybay-facts">
          <Fact name="In use" className={data.url === undefined ? 'soft' : 'mono small break'}>
            {data.url ?? 'The network’s own nodes'}
          </Fact>
        </dl>
      )}
      <LineForm
        key={round}
        label="Address of the node"
        input={{ type: 'url', inputMode: 'url', placeholder: 'https://…' }}
        mono
        focused={round > 0}
        error={saving.error && explain(saving.error)}
        changed={saving.reset}
        kind="primary"
        action={busy ? 'Asking the node …' : 'Use this node'}
        busy={busy}
        submit={url => void saving.run(url)}
        beside={data?.url !== undefined && <Button text="Remove mine" onClick={() => removing.run()} />}
      />
    </Card>
  )
}

/** Node settings of the network in use; the user selects the network in the bar above. */
export function NetworkPage() {
  const { networkId, name } = useCurrentNetwork()
  return (
    <Page title="Node" width="narrow">
      <NodeCard key={networkId} networkId={networkId} name={name} />
    </Page>
  )
}
