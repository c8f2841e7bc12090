/** Generates a service's OpenAPI 3.1 document from its routes. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

export interface DocumentedRoute<Access extends string, Code extends string> {
  readonly method: string
  /** Path below `/sdk/{environmentId}`, with parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly tag?: string
  readonly mfa?: string
  readonly params: GenericSchema | undefined
  readonly query?: GenericSchema | undefined
  readonly body: GenericSchema | undefined
  readonly answer: GenericSchema | undefined
  readonly status?: number
  readonly errors: readonly { readonly code: Code }[]
}

type Requirements = readonly Readonly<Record<string, readonly string[]>>[]

export interface OpenApiParts<Access extends string, Code extends string> {
  readonly title: string
  readonly serverUrl: string
  readonly routes: readonly DocumentedRoute<Access, Code>[]
  readonly security: Readonly<Record<Access, Requirements>>
  readonly securitySchemes: object
  /** Error code that every route returns for an invalid request. */
  readonly invalidRequest: Code
  /** Returns the HTTP status of an error code. */
  readonly getStatus: (code: Code) => number
}

export function openApi<Access extends string, Code extends string>(parts: OpenApiParts<Access, Code>) {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of parts.routes) {
    const path = `/sdk/{environmentId}${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, parts) }
  }
  return {
    openapi: '3.1.0',
    info: { title: parts.title, version: 'v0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: parts.serverUrl }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
          required: ['code', 'message'],
        },
      },
      securitySchemes: parts.securitySchemes,
    },
  }
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, object>>
  readonly [name: string]: unknown
}

/** Formats a document with one line per path, so that a diff names what changed. */
export function formatOpenApi({ paths, ...rest }: OpenApiDocument): string {
  const lines = (value: object) =>
    Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}: ${JSON.stringify(item)}`)
      .join(',\n')
  return `{\n${lines(rest)},\n"paths": {\n${lines(paths)}\n}\n}\n`
}

function describeOperation<Access extends string, Code extends string>(
  {
    method,
    path,
    tag,
    summary,
    access,
    mfa,
    params,
    query,
    body,
    answer,
    status = 200,
    errors,
  }: DocumentedRoute<Access, Code>,
  { security, getStatus, invalidRequest }: OpenApiParts<Access, Code>,
): object {
  return {
    operationId: operationId(method, path),
    ...(tag !== undefined && { tags: [tag] }),
    summary,
    ...(mfa !== undefined && { 'x-mfa-action': mfa }),
    security: security[access],
    parameters: [
      { name: 'environmentId', in: 'path', required: true, schema: { type: 'string' } },
      ...parametersIn('path', params),
      ...parametersIn('query', query),
    ],
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [status]: { description: 'Done', ...(answer && { content: jsonContent(answer) }) },
      ...failureResponses([invalidRequest, ...errors.map(({ code }) => code)], getStatus),
    },
  }
}

/** e.g. `getWalletsWalletId` */
function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/(^|[/.-]+)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`
}

/** `ignore`: checks without a JSON Schema equivalent (code, a trim, bytes) still run, but the document omits them. */
function jsonContent(schema: GenericSchema): object {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
  return { 'application/json': { schema: rest } }
}

function parametersIn(place: 'path' | 'query', schema: GenericSchema | undefined): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

/** Responses by status, each with its error codes. */
function failureResponses<Code extends string>(codes: readonly Code[], getStatus: (code: Code) => number) {
  const byStatus = new Map<number, Set<Code>>()
  for (const code of codes) {
    const status = getStatus(code)
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
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
