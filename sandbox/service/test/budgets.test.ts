/** Tests budgets on PGlite. */
import { afterAll, beforeAll } from 'vitest'
import { openPglite } from '../src/database/open.js'
import { prepareStatements } from '../src/database/statements.js'
import { TABLE, testBudgets } from './budget-cases.js'

const client = await openPglite(undefined)
const { query } = prepareStatements(client)
beforeAll(() => client.exec(TABLE))
afterAll(() => client.close())

testBudgets(() => query)
