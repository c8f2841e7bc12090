/** Loads files of the wallet frame all the time, as browsers do. */
import { setTimeout } from 'node:timers/promises'
import { createManifest, verifyFrame } from '@keybay/sandbox-frame'
import type { Fleet } from './fleet.js'

/** Time between two loads, in ms. */
const PAUSE_MS = 250

export async function startReader({ balancers }: Fleet) {
  const origin = `http://127.0.0.1:${balancers.frame.port}`
  const page = `${origin}/waas-v1/local`
  const manifest = await createManifest()
  const paths = [
    page,
    ...Object.keys(manifest.files).flatMap(path => (path.startsWith('/assets/') ? [origin + path] : [])),
  ]
  const texts = new Map<string, string>()
  let loads = 0
  /** @returns undefined while no instance answers */
  const load = async (url: string): Promise<string | undefined> => {
    const response = await fetch(url).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined
      throw error
    })
    if (response && response.status !== 200 && response.status !== 503) throw new Error(`${url}: ${response.status}`)
    return response?.status === 200 ? response.text() : undefined
  }
  return {
    async live(isOver: () => boolean): Promise<void> {
      for (let turn = 0; !isOver(); turn++) {
        const url = paths[turn % paths.length] ?? page
        const text = await load(url)
        const before = texts.get(url) ?? text
        if (text !== before && text !== undefined) throw new Error(`${url} has changed`)
        if (text !== undefined) {
          texts.set(url, text)
          loads += 1
        }
        await setTimeout(PAUSE_MS)
      }
    },
    /** Verifies what is served now. @returns the files that differ from the build, and how many loads there were */
    async check() {
      const { findings } = await verifyFrame(page, manifest)
      return { loads, files: findings.length, wrong: findings.filter(({ problem }) => problem !== undefined) }
    },
  }
}
