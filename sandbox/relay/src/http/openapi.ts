/** The OpenAPI 3.1 document, made of the routes themselves. */
import {
  environmentParameter,
  failureResponses,
  jsonSchema,
  openApi,
  operationId,
  parametersIn,
} from '@keybay/sandbox-service/openapi'
import { invalidRequest, statusOf } from './errors.js'
import type { Access, Route } from './route.js'

const SECURITY: { readonly [A in Access]: readonly Record<string, readonly string[]>[] } = {
  public: [],
  session: [{ bearer: [], session: [] }],
  device: [{ bearer: [], session: [], device: [] }],
}

function failures({ errors }: Route): Record<string, object> {
  return failureResponses([invalidRequest, ...errors].map(({ code }) => ({ code, status: statusOf(code) })))
}

function operation(route: Route): object {
  const { method, path, summary, access, params, body, answer } = route
  return {
    operationId: operationId(method, path),
    summary,
    security: SECURITY[access],
    parameters: [environmentParameter, ...parametersIn('path', params)],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: jsonSchema(answer, 'input') } } },
      ...failures(route),
    },
  }
}

export function openApiDocument(routes: readonly Route[], serverUrl: string): object {
  return openApi({
    title: 'Keybay relay',
    serverUrl,
    paths: Object.fromEntries(
      routes.map(one => [`/sdk/{environmentId}${one.path}`, { [one.method.toLowerCase()]: operation(one) }]),
    ),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      session: { type: 'apiKey', in: 'header', name: 'x-keybay-session' },
      device: { type: 'apiKey', in: 'header', name: 'x-keybay-device' },
    },
  })
}
