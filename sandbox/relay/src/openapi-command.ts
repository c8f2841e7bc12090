/** `npm run openapi -w sandbox/relay`: writes openapi.json, the contract of this service. */
import { writeFileSync } from 'node:fs'
import { formatOpenApi } from '@keybay/sandbox-service/openapi'
import { openApiDocument } from './app/routes.js'

writeFileSync(new URL('../openapi.json', import.meta.url), formatOpenApi(openApiDocument('/api/v0')))
