/** Custody as the operator's command sees it. */
import { readProgram } from '@keybay/sandbox-service'
import { defineOperated, type Operated } from '@keybay/sandbox-service/operated'
import { definition } from './db/open.js'
import { findAllKeys } from './keys/find.js'
import { openCommand } from './keys/kek.js'
import { PROGRAM } from './program.js'

export const OPERATED: Operated = defineOperated({
  program: PROGRAM,
  database: definition,
  findKeys: async options => {
    const find = findAllKeys(options, await openCommand(options, Date.now))
    return [find.enclave(), find.kek()]
  },
})

/** Returns the mail server of recoveries. */
export function readDeployment(given: NodeJS.ProcessEnv): { readonly smtpUrl: string } {
  const { smtpUrl } = readProgram(PROGRAM, given).options
  return { smtpUrl }
}
