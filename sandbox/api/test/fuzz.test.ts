/**
 * Sends requests generated from the OpenAPI document, good and hostile: never a 5xx, a stack trace or a lost row. Sends
 * 2,000, and 10,000 in `npm run test:soak`; API_FUZZ=100 runs a quick check, API_FUZZ_SEED repeats a run.
 */
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { APP, startWorld } from './client.js'
import { IDS, socialSettings } from './social-world.js'

/** Providers whose address is known without a request. */
const UNASKED = IDS.filter(id => !['google', 'gitlab', 'farcaster'].includes(id))
const RUNS = Number(process.env.API_FUZZ ?? (process.env.KEYBAY_SOAK === '1' ? 10_000 : 2_000))

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: JsonSchema
}
interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly pattern?: string
  readonly format?: string
}
interface Operation {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom<unknown>(
    "' or 1=1; drop table users; --",
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '{{7*7}}',
    'a'.repeat(5000),
    '🙂'.repeat(500),
    '٣'.repeat(6),
    -0,
    1e308,
    Number.MAX_SAFE_INTEGER,
    null,
    true,
    [],
    {},
    { __proto__: null, constructor: { prototype: 1 } },
  ),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Values that the schema cannot express: valid addresses, and some that are nearly valid. */
const known: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc.oneof(fc.emailAddress(), fc.emailAddress(), hostile),
  phoneNumber: fc.oneof(
    fc.integer({ min: 1_000_000, max: 9_999_999 }).map(digits => `+49170${digits}`),
    hostile,
  ),
  ...Object.fromEntries(
    ['stateHash', 'nonceHash', 'codeChallenge', 'state', 'nonce', 'codeVerifier'].map(name => [
      name,
      fc.oneof({ weight: 6, arbitrary: fc.stringMatching(/^[\w-]{43}$/) }, { weight: 1, arbitrary: hostile }),
    ]),
  ),
  redirectUrl: fc.oneof(fc.constant(`${APP}/auth/social/x`), fc.webUrl(), hostile),
  shop: fc.oneof(fc.constant('acme.myshopify.com'), hostile),
}

/** Generates values that fit the schema, and occasionally one that does not. */
function anyValue(schema: JsonSchema | undefined): fc.Arbitrary<unknown> {
  const good = goodValue(schema ?? {})
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: hostile })
}

function goodValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(goodValue))
  if (schema.properties) {
    const { required = [] } = schema
    const fields = Object.fromEntries(
      Object.entries(schema.properties).map(([name, propertySchema]) => [
        name,
        known[name] ?? anyValue(propertySchema),
      ]),
    )
    return fc.record(fields, { requiredKeys: required.filter(name => name in fields) })
  }
  switch (schema.type) {
    case 'string':
      if (schema.format === 'uuid') return fc.uuid()
      return schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern, 'u'))
        : fc.oneof(fc.string(), fc.emailAddress())
    case 'number':
    case 'integer':
      return fc.integer()
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(anyValue(schema.items), { maxLength: 5 })
    default:
      return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue(), { maxKeys: 4 })
  }
}

// No provider is running: flows that need one correctly return 503, and are left out below.
const identity = { publicUrl: 'http://identity.localhost:4500', internalUrl: 'http://127.0.0.1:1' }
const world = await startWorld({
  limitFactor: 1_000_000,
  social: { identity },
  environments: { local: socialSettings },
})
const kit = world.kit()
await kit.signInByEmail('fuzz@example.com')
const made = await kit.call('/api-tokens', { body: { name: 'fuzz' }, token: world.api.operatorToken, proof: false })
const apiToken = made.body.token
afterAll(world.stop)

it(`answers ${RUNS} valid and hostile requests without a 5xx`, async () => {
  const bystander = await world.signedIn('bystander@example.com')
  const { body: before } = await bystander.call('/users/me')
  const { paths } = (await kit.call('/api/v0/openapi.json')).body as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  expect(operations.length).toBeGreaterThan(35)
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.uuid(),
    hostile.map(value => JSON.stringify(value)),
  )
  const provider = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...UNASKED) }, { weight: 1, arbitrary: text })
  const request = fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const { parameters, requestBody } = operation
    const names = parameters.filter(({ name }) => name !== 'environmentId').map(({ name }) => name)
    return fc.record({
      path: fc.constant(path.replace('/sdk/{environmentId}', '')),
      method: fc.constant(method),
      parameters: fc.record(Object.fromEntries(names.map(name => [name, name === 'provider' ? provider : text]))),
      places: fc.constant(Object.fromEntries(parameters.map(parameter => [parameter.name, parameter.in]))),
      body: requestBody ? anyValue(requestBody.content['application/json'].schema) : fc.constant(undefined),
      broken: fc.oneof(
        { weight: 9, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      ),
      who: fc.constantFrom<'kit' | 'host' | 'operator' | 'anonymous' | 'nonsense'>(
        'kit',
        'kit',
        'kit',
        'host',
        'operator',
        'anonymous',
        'nonsense',
      ),
      proof: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant(false as const) }),
      origin: fc.constantFrom(undefined, APP, 'https://evil.example'),
    })
  })
  const tokens = {
    kit: () => kit.token,
    host: () => apiToken,
    operator: () => world.api.operatorToken,
    anonymous: () => '',
    nonsense: () => 'a.b.c',
  }
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(request, async sample => {
      let path = sample.path
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(sample.parameters)) {
        if (sample.places[name] === 'query') query.set(name, value)
        else path = path.replace(`{${name}}`, encodeURIComponent(value.replace(/\p{Surrogate}/gu, '?')) || 'x')
      }
      const answer = await kit.call(query.size > 0 ? `${path}?${query}` : path, {
        method: sample.method,
        token: tokens[sample.who](),
        proof: sample.proof,
        ...(sample.method !== 'GET' && { body: sample.body }),
        ...(sample.broken !== undefined && sample.method !== 'GET' && { rawBody: sample.broken }),
        headers: { ...(sample.origin && { origin: sample.origin }) },
      })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400) {
        expect(answer.body).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) })
        expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*\.js|node_modules|select |insert |drizzle/i)
      }
      // The request signed out or deleted the user, as it should, so the next ones need a new session.
      if ((await kit.call('/users/me')).status === 401) await kit.signInByEmail('fuzz@example.com')
    }),
    { numRuns: RUNS, ...(process.env.API_FUZZ_SEED && { seed: Number(process.env.API_FUZZ_SEED) }) },
  )
  // Requests must get past validation and access checks, not only be refused.
  for (const status of [200, 202, 204, 400, 401, 403, 404])
    expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0])
  const { body: after } = await bystander.call('/users/me')
  expect(after).toEqual(before)
}, 600_000)
