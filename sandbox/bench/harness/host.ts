/** Shared parts of the host pages that the bench drives. */
import type { Keybay } from '@keybay/kernel'

/** Returns a parameter of the page's address. */
export function text(name: string): string {
  return new URLSearchParams(location.search).get(name) ?? ''
}

/** Answers each code prompt with the code sent to the user's phone. @param onCode called before each code is submitted */
export function answerCodes({ prompts }: Pick<Keybay, 'prompts'>, onCode = () => {}): void {
  prompts.subscribe(() => {
    for (const prompt of prompts.list())
      if (prompt.type === 'one-time-code')
        window
          .code()
          .then(code => {
            onCode()
            return prompt.submit(code)
          })
          .then(prompt.answer)
  })
}

declare global {
  interface Window {
    /** Returns the code sent to the user's phone. */
    code(): Promise<string>
  }
}
