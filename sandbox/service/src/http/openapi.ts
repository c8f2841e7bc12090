/** The pieces of an OpenAPI 3.1 document that each service makes of its own routes. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

/** `ignore`: what has no JSON Schema (a check by code, a trim, bytes) is still checked, only not described. */
export function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' })
  return { ...rest }
}

/** e.g. `getWalletsWalletId` */
export function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/(^|[/.-]+)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`
}

/** The fields of a schema as parameters: of the path all, of the query those that must be there. */
export function parametersIn(place: 'path' | 'query', schema: GenericSchema | undefined): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

export const environmentParameter: object = {
  name: 'environmentId',
  in: 'path',
  required: true,
  schema: { type: 'string' },
}

export interface FailureFacts {
  readonly code: string
  readonly status: number
}

/** By status, each with its codes. */
export function failureResponses(errors: readonly FailureFacts[]): Record<string, object> {
  const byStatus = new Map<number, Set<string>>()
  for (const { code, status } of errors) byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
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

export interface ApiFacts {
  readonly title: string
  readonly serverUrl: string
  readonly paths: object
  readonly securitySchemes: object
}

export function openApi({ title, serverUrl, paths, securitySchemes }: ApiFacts): object {
  return {
    openapi: '3.1.0',
    info: { title, version: 'v0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
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
      securitySchemes,
    },
  }
}
