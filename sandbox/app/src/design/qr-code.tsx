import { generate } from 'lean-qr'

/** Width of the white margin in modules, which readers need. */
const QUIET = 4

/** QR code, always dark on white, because many readers accept nothing else. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = generate(text)
  const side = code.size + QUIET * 2
  const cells = Array.from({ length: code.size ** 2 }, (_, index) => [index % code.size, Math.floor(index / code.size)])
  const path = cells.map(([x = 0, y = 0]) => (code.get(x, y) ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#0a1514" />
    </svg>
  )
}
