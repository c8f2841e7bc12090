/** Asks questions on a terminal: an answer is a number or a name, and Enter takes the default. */
import { createInterface } from 'node:readline'
import { Advice } from '@keybay/sandbox-tools/advice'

/** @typedef {{ id: string, text: string }} Choice */

/**
 * @param {string} answer
 * @param {readonly Choice[]} choices
 * @returns {readonly string[]} ids, in the order of the choices
 * @throws {Advice} if a word names no choice
 */
export function readChoices(answer, choices) {
  const words = answer.split(/[\s,]+/).filter(Boolean)
  const chosen = words.map(word => {
    const choice = choices[Number(word) - 1] ?? choices.find(({ id }) => id === word)
    if (!choice) throw new Advice(`“${word}” is not one of the choices: type numbers or names, separated by commas.`)
    return choice.id
  })
  return choices.map(({ id }) => id).filter(id => chosen.includes(id))
}

/**
 * @template T
 * @typedef {{ text: string, initial: string, read: (answer: string) => T }} Question If `read` throws {@link Advice}, the question repeats.
 */

/**
 * Returns a function that asks one question after the other. Buffers lines, so that pasted answers are not lost.
 * @param {NodeJS.ReadableStream} input
 * @param {NodeJS.WritableStream & { isTTY?: boolean }} output
 */
export function createInterview(input, output) {
  const lines = createInterface({ input, output, terminal: output.isTTY === true })
  const answers = lines[Symbol.asyncIterator]()
  return {
    /**
     * @template T
     * @param {Question<T>} question
     * @returns {Promise<T>}
     * @throws {Advice} if the user ends the input, for example by Ctrl+C
     */
    async ask({ text, initial, read }) {
      // A terminal draws the prompt again with each key, so the prompt is the last line only.
      const last = text.lastIndexOf('\n') + 1
      output.write(text.slice(0, last))
      lines.setPrompt(`${text.slice(last)} (${initial}) `)
      for (;;) {
        lines.prompt()
        const { done, value = '' } = await answers.next()
        if (done) throw new Advice('Cancelled. Nothing was written.')
        try {
          return read(value.trim() || initial)
        } catch (error) {
          if (!(error instanceof Advice)) throw error
          output.write(`${error.message}\n`)
        }
      }
    },
    close: () => lines.close(),
  }
}

/** @param {string} title @param {readonly Choice[]} choices @returns {string} a numbered list below its title */
export function listChoices(title, choices) {
  const width = Math.max(...choices.map(({ id }) => id.length))
  const rows = choices.map(({ id, text }, index) => `  ${index + 1}  ${id.padEnd(width)}  ${text}`)
  return [title, ...rows, '>'].join('\n')
}
