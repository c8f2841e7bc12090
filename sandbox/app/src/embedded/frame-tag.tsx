import type { FrameState } from '@keybay/waas'
import type { ReactElement } from 'react'
import { useFrameState } from './frame-state.js'

const says: { readonly [S in FrameState]: { readonly text: string; readonly tag: string } } = {
  'not-loaded': { text: 'not loaded', tag: 'tag' },
  loading: { text: 'loading', tag: 'tag' },
  ready: { text: 'ready', tag: 'tag tag-good' },
  failed: { text: 'not reachable', tag: 'tag tag-bad' },
}

/** Shows whether the wallet frame, which holds this device's share, is loaded. */
export function FrameTag(): ReactElement {
  const { text, tag } = says[useFrameState()]
  return <span className={tag}>Wallet frame {text}</span>
}
