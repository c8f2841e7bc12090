/** Code that all commands share: running programs, and failing with one sentence that says what to do. */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { root } from './repo.mjs'

export { Advice, command } from './advice.mjs'

/**
 * Runs a program until it exits. A program that cannot start, or that a signal ends, counts as code 1.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, background?: boolean }} [options] `show`: print
 * output directly (default), otherwise collect it; `background`: run the program and its children at a lower priority
 * @returns {Promise<{ code: number, output: string, stdout: string }>} `output` has both streams, as they came
 */
export function run(program, args, { cwd = root, env = process.env, show = true, background = false } = {}) {
  return new Promise(resolve => {
    const child = spawn(program, args, { cwd, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    if (background && child.pid !== undefined) giveWay(child.pid)
    let [output, stdout] = ['', '']
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', chunk => (output += chunk))
    child.stdout?.on('data', chunk => (stdout += chunk))
    child.once('error', error => resolve({ code: 1, output: `${output}${error.message}`, stdout }))
    child.once('close', code => resolve({ code: code ?? 1, output, stdout }))
  })
}

/** @param {number} pid */
function giveWay(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already exited.
  }
}

/**
 * Runs a JavaScript program in node_modules by its file, without a shell or .bin lookup, so it behaves the same on
 * every system.
 * @param {string} file path inside node_modules
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(file, args, options) {
  return run(process.execPath, [join(root, 'node_modules', file), ...args], options)
}

/**
 * Runs npm: the npm that started this process, otherwise the npm on the PATH.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function npm(args, options) {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js')
    ? run(process.execPath, [cli, ...args], options)
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options)
}
