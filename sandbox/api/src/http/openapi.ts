/** The OpenAPI 3.1 document, made of the routes themselves. */
import type { ErrorSpec } from '@keybay/kernel/spec'
import {
  environmentParameter,
  failureResponses,
  jsonSchema,
  openApi,
  operationId,
  parametersIn,
} from '@keybay/sandbox-service/openapi'
import { type ApiErrorCode, invalidRequest, statusOf } from './errors.js'
import type { Access, Route } from './route.js'

const SECURITY: { readonly [A in Access]: readonly Record<string, readonly string[]>[] } = {
  public: [],
  key: [{ proof: [] }],
  proof: [{ proof: [] }],
  bearer: [{ bearer: [] }, { cookie: [] }],
  session: [
    { bearer: [], proof: [] },
    { cookie: [], proof: [] },
  ],
  frame: [{ bearer: [] }],
  'api-token': [{ apiToken: [] }],
  operator: [{ operatorToken: [] }],
}

function failures(errors: readonly ErrorSpec<ApiErrorCode>[]): Record<string, object> {
  return failureResponses([invalidRequest, ...errors].map(({ code }) => ({ code, status: statusOf(code) })))
}

function operation(one: Route): object {
  const { method, path, tag, summary, access, mfa, params, query, body, answer, status, errors } = one
  const success = answer
    ? { description: 'Done', content: { 'application/json': { schema: jsonSchema(answer, 'input') } } }
    : { description: 'Done' }
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(mfa && { 'x-mfa-action': mfa }),
    security: SECURITY[access],
    parameters: [environmentParameter, ...parametersIn('path', params), ...parametersIn('query', query)],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
    responses: { [status]: success, ...failures(errors) },
  }
}

export function openApiDocument(routes: readonly Route[], serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const one of routes) {
    const path = `/sdk/{environmentId}${one.path}`
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operation(one) }
  }
  return openApi({
    title: 'Keybay product API',
    serverUrl,
    paths,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'keybay_access_{environmentId}' },
      proof: { type: 'apiKey', in: 'header', name: 'DPoP', description: 'RFC 9449, with the claim bh besides' },
      apiToken: { type: 'http', scheme: 'bearer' },
      operatorToken: { type: 'http', scheme: 'bearer' },
    },
  })
}
