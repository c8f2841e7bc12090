import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import type { WaasWallet } from '@keybay/waas'
import { useId } from 'react'
import { Card, CopyButton, Fact, formatMoment, Glyph } from '../design/index.js'
import { FrameTag } from './frame-tag.js'
import { chainNames, chainOf, hasBackup, origins, places, reconstructedOrigin, schemes } from './schemes.js'

function backupSays({ backup, thresholdSignatureScheme }: WaasWallet): string {
  if (!hasBackup(thresholdSignatureScheme)) return 'None: this scheme has no backup part'
  return {
    current: `Current${backup.backedUpAt === undefined ? '' : `, ${formatMoment(backup.backedUpAt)}`}`,
    stale: 'Out of date: it no longer restores this wallet. Make new parts to get a new one',
    unverified: 'There may be one, made by another device',
    none: 'Not known in this browser',
  }[backup.state]
}

const signingSays = {
  threshold: 'By the parts: the key is not put together',
  reconstructed: 'Reconstructed: the key is whole in the wallet’s frame for the moment of each signature',
} as const

/** Says when the wallet asks before it signs. */
function askingSays({ policy }: WaasWallet): string {
  if (!policy) return 'Always'
  return policy.otherwise === 'ask' ? 'Above your limits' : 'Never within your rules; it refuses the rest'
}

/** Counts those that may sign. */
function signersSay({ sets }: WaasWallet): string {
  const active = sets.filter(({ revoked }) => !revoked)
  const delegates = active.filter(({ kind }) => kind === 'delegate').length
  const count = (size: number, name: string) => `${size} ${name}${size === 1 ? '' : 's'}`
  const devices = count(active.length - delegates, 'device')
  return delegates === 0 ? devices : `${devices}, ${count(delegates, 'delegate')}`
}

/** Shows what protects a wallet now: the holders of its key shares, its backup, and what asks before it signs. */
export function SummaryCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, thresholdSignatureScheme, here, chainName, exported, signing } = wallet
  return (
    <Card title="The key and its parts" side={<FrameTag />}>
      <HoldersPicture scheme={thresholdSignatureScheme} />
      <p className="soft small">{schemes[thresholdSignatureScheme].loss}</p>
      <dl className="keybay-facts">
        <Fact name="Address" className="user-id">
          <span className="mono small break">{accountAddress}</span>
          <CopyButton text={accountAddress} label="Copy address" />
        </Fact>
        {exported && <Fact name="Key">It has been seen whole, so its rules are advice only</Fact>}
        {signing === 'reconstructed' && <Fact name="Signing">{signingSays[signing]}</Fact>}
        <Fact name="Backup">{backupSays(wallet)}</Fact>
        {here && chainName === 'SOL' && <Fact name="Asks before it signs">{askingSays(wallet)}</Fact>}
        <Fact name="May sign">{signersSay(wallet)}</Fact>
      </dl>
    </Card>
  )
}

/** Facts about the wallet that a user seldom needs. */
export function DetailsCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { thresholdSignatureScheme, epoch, createdAt, signing, origin } = wallet
  const { name, threshold, holders } = schemes[thresholdSignatureScheme]
  return (
    <Card title="Details">
      <dl className="keybay-facts">
        <Fact name="Chain">{chainNames[chainOf(wallet)]}</Fact>
        <Fact name="Key">{signing === 'reconstructed' ? reconstructedOrigin : origins[origin]}</Fact>
        {signing === 'threshold' && <Fact name="Signing">{signingSays[signing]}</Fact>}
        <Fact name="Scheme">{`${name}: ${threshold} of ${holders.length} parts sign`}</Fact>
        <Fact name="Epoch" className="number">
          {epoch}{' '}
          <span className="soft small">{epoch === 0 ? '· the first parts' : '· older parts are worthless'}</span>
        </Fact>
        <Fact name="Made">{formatMoment(createdAt)}</Fact>
      </dl>
    </Card>
  )
}

const WIDTH = 360
const HEIGHT = 150
const KEY = { x: WIDTH / 2, y: 118 }

/** Positions the holders side by side, with the middle ones slightly higher. */
function spot(index: number, count: number) {
  const x = (WIDTH / count) * (index + 0.5)
  const off = (x - WIDTH / 2) / (WIDTH / 2)
  return { x, y: 30 + 14 * off * off }
}

/** Shows which holders have a share and how many of them sign, as a picture and as text. */
function HoldersPicture({ scheme }: { readonly scheme: ThresholdSignatureScheme }) {
  const { name, threshold, holders } = schemes[scheme]
  const id = useId()
  const list = holders.map((place, index) => ({ place, key: `${place}-${index}`, ...spot(index, holders.length) }))
  const title = `The key has ${holders.length} parts, and any ${threshold} of them sign.`
  return (
    <figure className="holders">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-list`}
      >
        <title id={`${id}-title`}>{title}</title>
        {list.map(({ key, x, y }) => (
          <line key={key} className="holders-line" x1={x} y1={y} x2={KEY.x} y2={KEY.y} />
        ))}
        {list.map(({ key, place, x, y }) => (
          <g key={key} className={`holders-part holders-${place}`} transform={`translate(${x} ${y})`}>
            <circle r={22} />
            <g transform="translate(-11 -11)">
              <Glyph name={places[place].icon} size={22} />
            </g>
          </g>
        ))}
        <g className="holders-key">
          <rect x={KEY.x - 38} y={KEY.y - 18} width="76" height="36" rx="18" />
          <text x={KEY.x} y={KEY.y + 6} textAnchor="middle">
            {name}
          </text>
        </g>
      </svg>
      <figcaption>
        <ul id={`${id}-list`} className="stack-tight small" aria-label="Holders of the key shares">
          {[...new Set(holders)].map(place => {
            const count = holders.filter(holder => holder === place).length
            const { icon, name, says } = places[place]
            return (
              <li key={place} className="row">
                <Glyph name={icon} size={18} />
                <span>
                  <strong>{count > 1 ? `${name}, ${count} parts` : name}</strong> <span className="soft">{says}</span>
                </span>
              </li>
            )
          })}
        </ul>
      </figcaption>
    </figure>
  )
}
