/** Follows a page word for word, as a reader does: runs its commands and writes its files, in their order. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../command.mjs'

/** A file, or commands. Blocks of commands with another word behind `sh` are for other terminals. */
interface Block {
  readonly file: string | undefined
  readonly text: string
}

function getBlocks(page: string): readonly Block[] {
  return [...page.matchAll(/^```(?:sh|\w+ \[([^\]\n]+)\])\n([\s\S]*?)^```/gm)].map(([, file, text = '']) => ({
    file,
    text,
  }))
}

/** Installs these packages in a folder, as `npm install` does. */
type Install = (folder: string, packages: readonly string[]) => void | Promise<void>

/** A test's own NODE_ENV would make development builds of the page's builds. */
const ENV = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }

/** @param start an empty folder */
export async function followPage(page: string, start: string, install: Install): Promise<void> {
  let folder = start
  for (const { file, text } of getBlocks(page)) {
    if (file) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
      continue
    }
    for (const line of text.trim().split('\n')) {
      const [program = '', ...args] = line.split(' ')
      if (program === 'cd') folder = join(folder, args[0] ?? '')
      else if (line.startsWith('npm install ')) {
        const packages = args.slice(1).filter(word => !word.startsWith('--'))
        await install(folder, packages)
      } else {
        const { code, output } = await run(program, args, { cwd: folder, env: ENV, show: false })
        expect([line, code, code === 0 ? '' : output]).toEqual([line, 0, ''])
      }
    }
  }
}
