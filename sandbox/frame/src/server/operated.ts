/** The frame's host as the operator's command sees it. */
import { readProgram } from '@keybay/sandbox-service'
import { PROGRAM } from './program.js'

/** Reads its environment. @throws Error for a configuration that no page can have */
export async function readFrame(given: NodeJS.ProcessEnv) {
  const { options, invalid, unsafe } = readProgram(PROGRAM, given)
  const { publicUrl, environments } = options
  const configurations = await Promise.all(Object.values(environments).map(read => read()))
  return { publicUrl, configurations, problems: [...invalid, ...unsafe] }
}
