/** The OpenAPI 3.1 document, made of the routes themselves. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { invalidRequest, type RelayErrorCode, statusOf } from './errors.js'
import type { Access, Route, Schema } from './route.js'

/** `ignore`: what has no JSON Schema (a check by code, bytes) is still checked, only not described. */
const jsonSchema = (schema: Schema): Record<string, unknown> => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
  return { ...rest }
}

const SECURITY: { readonly [A in Access]: readonly Record<string, readonly string[]>[] } = {
  public: [],
  session: [{ bearer: [], session: [] }],
  device: [{ bearer: [], session: [], device: [] }],
}

const parameters = ({ params }: Route): object[] => {
  const { properties = {} } = params ? toJsonSchema(params, { typeMode: 'input', errorMode: 'ignore' }) : {}
  const all = { environmentId: { type: 'string' }, ...properties }
  return Object.entries(all).map(([name, schema]) => ({ name, in: 'path', required: true, schema }))
}

const failures = ({ errors }: Route): Record<string, object> => {
  const byStatus = new Map<number, Set<RelayErrorCode>>()
  for (const { code } of [invalidRequest, ...errors]) {
    byStatus.set(statusOf(code), (byStatus.get(statusOf(code)) ?? new Set()).add(code))
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: [...codes].join(', '),
        content: {
          'application/json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: [...codes] } } }] },
          },
        },
      },
    ]),
  )
}

const operation = (route: Route): object => {
  const { method, path, summary, access, body, answer } = route
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/(^|[/.-]+)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
    summary,
    security: SECURITY[access],
    parameters: parameters(route),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body) } } } }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: jsonSchema(answer) } } },
      ...failures(route),
    },
  }
}

export const openApiDocument = (routes: readonly Route[], serverUrl: string): object => ({
  openapi: '3.1.0',
  info: { title: 'Keybay relay', version: 'v0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
  servers: [{ url: serverUrl }],
  paths: Object.fromEntries(
    routes.map(one => [`/sdk/{environmentId}${one.path}`, { [one.method.toLowerCase()]: operation(one) }]),
  ),
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
      session: { type: 'apiKey', in: 'header', name: 'x-keybay-session' },
      device: { type: 'apiKey', in: 'header', name: 'x-keybay-device' },
    },
  },
})
