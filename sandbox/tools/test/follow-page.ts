/** Follows a page word for word, as a reader does: runs its commands and writes its files, in their order. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../src/command.mjs'

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

/** Returns the packages that the page's commands install. */
export function getInstalled(page: string): readonly string[] {
  return getBlocks(page)
    .flatMap(({ file, text }) => (file ? [] : text.split('\n')))
    .filter(line => line.startsWith('npm install '))
    .flatMap(line => line.split(' ').slice(2))
    .filter(word => !word.startsWith('--'))
}

/**
 * @param start an empty folder
 * @param modules what stands in for the registry: the installed packages
 * @returns the folder in which the page ends
 */
export async function followPage(page: string, start: string, modules: string): Promise<string> {
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
        if (!existsSync(join(folder, 'node_modules'))) symlinkSync(modules, join(folder, 'node_modules'))
      } else {
        const { code, output } = await run(program, args, { cwd: folder, show: false })
        expect([line, code, code === 0 ? '' : output]).toEqual([line, 0, ''])
      }
    }
  }
  return folder
}
