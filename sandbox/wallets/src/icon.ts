import type { WalletIcon } from '@wallet-standard/base'

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#7b6cff"/><stop offset="1" stop-color="#1fc7a4"/></linearGradient></defs><rect width="64" height="64" rx="16" fill="url(#g)"/><path fill="#fff" d="M14 27c0-5 4-9 9-9h21a4 4 0 0 1 0 8H23a2 2 0 0 0 0 4h24a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H23a9 9 0 0 1-9-9zm29 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"/></svg>`

export const ICON: WalletIcon = `data:image/svg+xml;base64,${btoa(SVG)}`
