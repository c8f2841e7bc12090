/** Writes ERRORS.md, the list of the specification's codes: `npm run errors -w sandbox/api`. */
import { writeFileSync } from 'node:fs'
import { describeErrors } from './app/error-list.js'

writeFileSync(new URL('../ERRORS.md', import.meta.url), describeErrors())
