/** The API as the operator's command sees it. */
import { join } from 'node:path'
import { defineOperated, type Operated } from '@keybay/sandbox-service/operated'
import { definition } from './db/open.js'
import { PROGRAM } from './program.js'
import { findKeys } from './security/keys.js'

export const OPERATED: Operated = defineOperated({
  program: PROGRAM,
  database: definition,
  findKeys: async ({ keys, dataDir }) => [findKeys({ json: keys, file: dataDir && join(dataDir, 'keys.json') })],
})

export { writeApproverKeys } from './custody/approver-keys.js'
export { newKey } from './custody/keys.js'
