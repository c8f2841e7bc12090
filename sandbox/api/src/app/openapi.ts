/** The API's OpenAPI document. `npm run openapi -w sandbox/api` writes it to openapi.json. */
import { type OpenApiDocument, openApi } from '@keybay/sandbox-service/openapi'
import { getStatus, invalidRequest } from '../http/errors.js'
import { routes } from './routes.js'

export function openApiDocument(serverUrl: string): OpenApiDocument {
  return openApi({
    title: 'Keybay product API',
    serverUrl,
    routes,
    getStatus,
    invalidRequest: invalidRequest.code,
    security: {
      public: [],
      key: [{ proof: [] }],
      proof: [{ proof: [] }],
      bearer: [{ bearer: [] }, { cookie: [] }],
      token: [{ bearer: [] }, { cookie: [] }],
      session: [
        { bearer: [], proof: [] },
        { cookie: [], proof: [] },
      ],
      frame: [{ bearer: [] }],
      'frame-key': [{ bearer: [], proof: [] }],
      'api-token': [{ apiToken: [] }],
      operator: [{ operatorToken: [] }],
    },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'keybay_access_{environmentId}' },
      proof: { type: 'apiKey', in: 'header', name: 'DPoP', description: 'RFC 9449, with the additional claim bh' },
      apiToken: { type: 'http', scheme: 'bearer' },
      operatorToken: { type: 'http', scheme: 'bearer' },
    },
  })
}
