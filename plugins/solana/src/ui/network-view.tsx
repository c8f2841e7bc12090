import { useAction } from '@keybay/react'
import {
  Button,
  Card,
  Fact,
  Failure,
  LineForm,
  Loading,
  networkMessages,
  SelectField,
  toast,
  useExplain,
  useMessages,
  useRoot,
} from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import { useLoaded } from '../react/loaded.js'
import { useNetwork } from '../react/network.js'
import { useSolana } from '../react/solana.js'
import { useCurrentNetwork } from './current-network.js'
import { getNetworkName } from './network-name.js'

interface NodeCardProps {
  readonly networkId: number
  /** Display name of the network. */
  readonly name: string
}

/** Reads and changes the user's own node of a network. */
function useNode({ networkId, name }: NodeCardProps) {
  const { text } = useMessages(networkMessages)
  const solana = useSolana()
  const node = useLoaded(String(networkId), async () => ({ url: await (await solana.steps()).nodes.get(networkId) }))
  /** Each change begins with an empty field, which takes the focus of the button that goes. */
  const [round, setRound] = useState(0)
  const finish = (done: string) => {
    setRound(round + 1)
    void node.refresh()
    toast(done)
  }
  const saving = useAction(async (signal, url: string) => {
    await (await solana.steps()).nodes.set(url, { networkId, signal })
    finish(text('usesOwn', { network: name }))
  })
  const removing = useAction(async () => {
    await (await solana.steps()).nodes.remove(networkId)
    finish(text('usesNetworks', { network: name }))
  })
  return { node, round, saving, removing }
}

/** Selects the node through which this browser reaches a network: the network's own, or one that the user enters. */
function NodeCard(props: NodeCardProps) {
  const { text } = useMessages(networkMessages)
  const explain = useExplain()
  const { node, round, saving, removing } = useNode(props)
  const { status, data, refresh } = node
  const busy = saving.status === 'pending'
  return (
    <Card title={text('title', { network: props.name })}>
      <p className="keybay-soft">{text('text')}</p>
      {status === 'loading' && <Loading what={text('yourNode')} widths={[24]} />}
      {status === 'error' && <Failure title={text('notLoaded')} retry={() => void refresh()} />}
      {data && (
        <dl className="keybay-facts">
          <Fact name={text('inUse')} className={data.url === undefined ? 'keybay-soft' : 'keybay-mono keybay-small'}>
            {data.url === undefined ? text('networksOwn') : <bdi>{data.url}</bdi>}
          </Fact>
        </dl>
      )}
      <LineForm
        key={round}
        label={text('address')}
        input={{ type: 'url', inputMode: 'url', placeholder: 'https://…', dir: 'ltr' }}
        mono
        focused={round > 0}
        error={saving.error && explain(saving.error)}
        changed={saving.reset}
        kind="primary"
        action={text(busy ? 'asking' : 'use')}
        busy={busy}
        submit={url => void saving.run(url)}
        beside={data?.url !== undefined && <Button text={text('remove')} onClick={() => removing.run()} />}
      />
    </Card>
  )
}

export interface NetworkViewProps {
  /** Lets the user change the network too. Default false. */
  readonly canChoose?: boolean
}
/** Node settings of the network in use, and the choice of the network. */
export function NetworkView({ canChoose = false }: NetworkViewProps): ReactElement {
  const { text } = useMessages(networkMessages)
  const root = useRoot('keybay-stack')
  const { networkId, name } = useCurrentNetwork()
  const { networks, select } = useNetwork()
  const options = networks.map(network => ({ value: network.networkId, name: getNetworkName(network) }))
  return (
    <div {...root}>
      {canChoose && options.length > 1 && (
        <SelectField label={text('network')} value={networkId} options={options} change={id => void select(id)} />
      )}
      <NodeCard key={networkId} networkId={networkId} name={name} />
    </div>
  )
}
