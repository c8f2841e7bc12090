import { readFileSync } from 'node:fs'
import { formatOpenApi } from '@keybay/sandbox-service/openapi'
import { expect, it } from 'vitest'
import { openApiDocument } from '../src/app/routes.js'

it('the committed openapi.json describes exactly the routes of the relay', () => {
  const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
  const hint =
    'The routes have changed. Run `npm run build && npm run openapi -w sandbox/relay`, and commit openapi.json.'
  expect(formatOpenApi(openApiDocument('/api/v0')) === committed, hint).toBe(true)
})
