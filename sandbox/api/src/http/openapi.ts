/** The OpenAPI 3.1 document, made of the routes themselves. */
import type { ErrorSpec } from '@keybay/kernel'
import { toJsonSchema } from '@valibot/to-json-schema'
import { type ApiErrorCode, invalidRequest, statusOf } from './errors.js'
import type { Access, Route, RouteFacts, Schema } from './route.js'

/** `ignore`: what has no JSON Schema (a check by code, a trim) is still checked, only not described. */
const jsonSchema = (schema: Schema, typeMode: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' })
  return { ...rest }
}

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

const parameters = ({ params, query }: RouteFacts): object[] => {
  const fields = (place: 'path' | 'query', schema: Schema | undefined): object[] => {
    if (!schema) return []
    const { properties = {}, required = [] } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema,
    }))
  }
  const environment = { name: 'environmentId', in: 'path', required: true, schema: { type: 'string' } }
  return [environment, ...fields('path', params), ...fields('query', query)]
}

const failures = (errors: readonly ErrorSpec<ApiErrorCode>[]): Record<string, object> => {
  const byStatus = new Map<number, string[]>()
  for (const { code } of new Set([invalidRequest, ...errors])) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: {
          'application/json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] },
          },
        },
      },
    ]),
  )
}

const operation = (one: Route): object => {
  const { method, path, tag, summary, access, mfa, body, answer, status, errors } = one
  const success = answer
    ? { description: 'Done', content: { 'application/json': { schema: jsonSchema(answer, 'input') } } }
    : { description: 'Done' }
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/(^|[/.-]+)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(mfa && { 'x-mfa-action': mfa }),
    security: SECURITY[access],
    parameters: parameters(one),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
    responses: { [status]: success, ...failures(errors) },
  }
}

export const openApiDocument = (routes: readonly Route[], serverUrl: string): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const one of routes) {
    const path = `/sdk/{environmentId}${one.path}`
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operation(one) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Keybay product API', version: 'v0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
          required: ['code', 'message'],
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'keybay_access_{environmentId}' },
        proof: { type: 'apiKey', in: 'header', name: 'DPoP', description: 'RFC 9449, with the claim bh besides' },
        apiToken: { type: 'http', scheme: 'bearer' },
        operatorToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}
