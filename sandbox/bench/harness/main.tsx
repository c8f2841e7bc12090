/** Page around every entry. `virtual:entry` is the entry's `App`. */

import { App } from 'virtual:entry'
import { useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import type { AppProps } from './page.js'

const { bench } = window
bench.evalEnd = performance.now()

const onRender: AppProps['onRender'] = () => {
  bench.renders += 1
  bench.lastRender = performance.now()
}
// No dependency array: runs after every commit of the list, before the browser paints.
const useCommit: AppProps['useCommit'] = wallets =>
  useLayoutEffect(() => {
    bench.listed = wallets
    const now = performance.now()
    for (let length = bench.listedAt.length; length <= wallets; length++) bench.listedAt[length] = now
  })
const onSigned: AppProps['onSigned'] = length => {
  bench.signed = length
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App onRender={onRender} useCommit={useCommit} onSigned={onSigned} />)
