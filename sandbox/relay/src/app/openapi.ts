/** OpenAPI document of the relay. `npm run openapi -w sandbox/relay` writes it to openapi.json. */
import { type OpenApiDocument, openApi } from '@keybay/sandbox-service/openapi'
import { getStatus, invalidRequest } from '../http/errors.js'
import { partyRoute } from '../routes/wallets.js'
import { routes } from './routes.js'

export function openApiDocument(serverUrl: string): OpenApiDocument {
  return openApi({
    title: 'Keybay relay',
    serverUrl,
    routes: [partyRoute, ...routes],
    getStatus,
    invalidRequest: invalidRequest.code,
    security: { public: [], session: [{ bearer: [], session: [] }], device: [{ bearer: [], session: [], device: [] }] },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      session: { type: 'apiKey', in: 'header', name: 'x-keybay-session' },
      device: { type: 'apiKey', in: 'header', name: 'x-keybay-device' },
    },
  })
}
