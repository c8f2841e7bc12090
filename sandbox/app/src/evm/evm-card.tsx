import type { EvmChain, EvmChainFacts } from '@keybay/browser-extension'
import type { Account, WalletFeatures } from '@keybay/kernel'
import { shorten } from '@keybay/kernel/spec'
import { useAction, useActiveAccount } from '@keybay/react'
import { Card, CopyButton, Notice, Problem, SelectField } from '../design/index.js'
import { Link, LinkButton } from '../routing/link.js'

/** Shows and switches the wallet's chain; the wallet prompts the user to add a chain that it does not know. */
function ChainSwitch({ evm: { chain, features } }: { readonly evm: Evm }) {
  const { run, status, error } = useAction(async (_signal, to: string) => {
    const add = evmChains.find(evmChain => evmChain.chain === to)
    if (add) await features['evm:switchChain']?.switchChain({ chain: add.chain, add })
  })
  const known = evmChains.map(({ chain, chainName }) => ({ value: String(chain), name: chainName }))
  const isKnown = known.some(({ value }) => value === chain)
  const options = isKnown ? known : [{ value: chain, name: evmChainName(chain) }, ...known]
  return (
    <>
      <SelectField label="Chain" value={String(chain)} options={options} busy={status === 'pending'} change={run} />
      <Problem title="The chain is as it was." error={error} />
    </>
  )
}

/** Shown instead of a balance, which the sandbox cannot read: it has a Solana node but no EVM node. */
export function EvmCard({ evm }: { readonly evm: Evm }) {
  const { address } = evm.account
  return (
    <Card title="EVM account" side={<span className="keybay-tag">{evmChainName(evm.chain)}</span>}>
      <p className="mono break">
        {address} <CopyButton text={address} label="Copy EVM address" />
      </p>
      <ChainSwitch evm={evm} />
      <Notice title="No balance here.">
        This app asks a node of Solana only. What this account has, your wallet shows.
      </Notice>
      <div className="row">
        <LinkButton to="/send" text="Send" />
        <LinkButton to="/sign" text="Sign" />
      </div>
    </Card>
  )
}

export function EvmLink({ evm }: { readonly evm: Evm }) {
  const { address } = evm.account
  return (
    <Link to="/" className="keybay-button">
      <span className="visually-hidden">EVM account </span>
      <span className="mono" title={address}>
        {shorten(address)}
      </span>
    </Link>
  )
}

export interface Evm {
  readonly account: Account
  readonly chain: EvmChain
  readonly features: Partial<WalletFeatures>
}

function isEvmChain(chain: string): chain is EvmChain {
  return /^eip155:\d+$/.test(chain)
}

/** @returns undefined when no EVM wallet is connected */
export function useEvm(): Evm | undefined {
  const { account, connector } = useActiveAccount('eip155')
  const chain = account?.chains.find(isEvmChain)
  if (!account || !chain || connector?.kind !== 'wallet') return undefined
  // EVM accounts of custody and embedded wallets cannot send: they sign on their wallet's page.
  if (!('evm:sendTransaction' in connector.wallet.features)) return undefined
  return { account, chain, features: connector.wallet.features }
}

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const evmChains: readonly (EvmChainFacts & { readonly chain: EvmChain })[] = [
  { chain: 'eip155:1', chainName: 'Ethereum', rpcUrls: ['https://ethereum-rpc.publicnode.com'], nativeCurrency: ether },
  {
    chain: 'eip155:137',
    chainName: 'Polygon',
    rpcUrls: ['https://polygon-bor-rpc.publicnode.com'],
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  },
  { chain: 'eip155:8453', chainName: 'Base', rpcUrls: ['https://mainnet.base.org'], nativeCurrency: ether },
]
/** @param chain e.g. `eip155:137` */
export function evmChainName(chain: string): string {
  return evmChains.find(evmChain => evmChain.chain === chain)?.chainName ?? `EVM chain ${chain.split(':')[1]}`
}

export function evmSymbol(chain: string): string {
  return evmChains.find(evmChain => evmChain.chain === chain)?.nativeCurrency.symbol ?? 'units'
}
