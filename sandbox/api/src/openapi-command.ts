/** Writes openapi.json, the contract of this service: `npm run openapi -w sandbox/api`. */
import { writeFileSync } from 'node:fs'
import { formatOpenApi } from '@keybay/sandbox-service/openapi'
import { openApiDocument } from './app/openapi.js'

writeFileSync(new URL('../openapi.json', import.meta.url), formatOpenApi(openApiDocument('/api/v0')))
