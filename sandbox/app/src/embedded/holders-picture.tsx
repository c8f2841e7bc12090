import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { type ReactElement, useId } from 'react'
import { Glyph } from '../design/icons.js'
import { places } from './places.js'
import { schemes } from './schemes.js'

const WIDTH = 360
const HEIGHT = 150
const KEY = { x: WIDTH / 2, y: 118 }
const RADIUS = 22

/** Positions the holders side by side, with the middle ones slightly higher. */
function spot(index: number, count: number) {
  const x = (WIDTH / count) * (index + 0.5)
  const off = (x - WIDTH / 2) / (WIDTH / 2)
  return { x, y: 30 + 14 * off * off }
}

/** Shows which holders have a share and how many of them sign, as a picture and as text. */
export function HoldersPicture({ scheme }: { readonly scheme: ThresholdSignatureScheme }): ReactElement {
  const { name, threshold, holders } = schemes[scheme]
  const id = useId()
  const list = holders.map((place, index) => ({ place, key: `${place}-${index}`, ...spot(index, holders.length) }))
  return (
    <figure className="holders">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-list`}
      >
        <title id={`${id}-title`}>{`The key has ${holders.length} parts, and any ${threshold} of them sign.`}</title>
        {list.map(({ key, x, y }) => (
          <line key={key} className="holders-line" x1={x} y1={y} x2={KEY.x} y2={KEY.y} />
        ))}
        {list.map(({ key, place, x, y }) => (
          <g key={key} className={`holders-part holders-${place}`} transform={`translate(${x} ${y})`}>
            <circle r={RADIUS} />
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
        <ul id={`${id}-list`} className="stack-tight small" aria-label="Who holds a part">
          {[...new Set(holders)].map(place => {
            const count = holders.filter(holder => holder === place).length
            return (
              <li key={place} className="row">
                <Glyph name={places[place].icon} size={18} />
                <span>
                  <strong>{count > 1 ? `${places[place].name}, ${count} parts` : places[place].name}</strong>{' '}
                  <span className="soft">{places[place].says}</span>
                </span>
              </li>
            )
          })}
        </ul>
      </figcaption>
    </figure>
  )
}
