/** Checks a value against a JSON schema: the keywords that the schema of compose files uses, and no other. */

type Schema = Readonly<Record<string, unknown>>
type Check = (argument: unknown, value: unknown, path: string, schema: Schema) => readonly string[]

/** Keywords that say nothing about validity here. */
const COMMENTS = [
  '$schema',
  '$id',
  'title',
  'description',
  'deprecated',
  'default',
  'definitions',
  'additionalProperties',
]

function isMap(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function getType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function matchesType(type: unknown, value: unknown): boolean {
  return type === getType(value) || (type === 'integer' && Number.isInteger(value))
}

/** @throws Error for a keyword that it does not know */
export function findSchemaProblems(root: Schema, value: unknown): readonly string[] {
  const check = (schema: Schema, checked: unknown, path: string): readonly string[] =>
    Object.entries(schema).flatMap(([keyword, argument]) => {
      if (COMMENTS.includes(keyword)) return []
      const run = CHECKS[keyword]
      if (!run) throw new Error(`The schema uses the keyword ${keyword}.`)
      return run(argument, checked, path, schema)
    })
  const checkMap = (value: unknown, path: string, schema: Schema): readonly string[] => {
    if (!isMap(value)) return []
    const { properties = {}, patternProperties = {}, additionalProperties = true } = schema
    return Object.entries(value).flatMap(([name, child]) => {
      const at = `${path}.${name}`
      const known = Object(properties)[name]
      const patterns = Object.entries(Object(patternProperties)).filter(([pattern]) => new RegExp(pattern).test(name))
      const schemas = [...(known ? [known] : []), ...patterns.map(([, each]) => each)]
      if (schemas.length > 0) return schemas.flatMap(each => check(Object(each), child, at))
      if (additionalProperties === false) return [`${at} is not known`]
      return isMap(additionalProperties) ? check(additionalProperties, child, at) : []
    })
  }
  const CHECKS: Readonly<Record<string, Check>> = {
    $ref: (name, checked, path) => {
      const parts = String(name).slice(2).split('/')
      return check(Object(parts.reduce<unknown>((at, part) => Object(at)[part], root)), checked, path)
    },
    type: (types, checked, path) =>
      list(types).some(type => matchesType(type, checked)) ? [] : [`${path} is not ${list(types).join(' or ')}`],
    properties: (_, checked, path, schema) => checkMap(checked, path, schema),
    patternProperties: (_, checked, path, schema) => (schema.properties ? [] : checkMap(checked, path, schema)),
    items: (schema, checked, path) =>
      Array.isArray(checked) ? checked.flatMap((item, index) => check(Object(schema), item, `${path}[${index}]`)) : [],
    oneOf: (schemas, checked, path) => {
      const results = list(schemas).map(schema => check(Object(schema), checked, path))
      const fitting = results.filter(problems => problems.length === 0).length
      if (fitting === 1) return []
      return fitting > 1 ? [`${path} fits several forms`] : [`${path} fits no form: ${results.flat().join('; ')}`]
    },
    uniqueItems: (_, checked, path) => {
      const texts = Array.isArray(checked) ? checked.map(item => JSON.stringify(item)) : []
      return new Set(texts).size === texts.length ? [] : [`${path} has an item twice`]
    },
    enum: (values, checked, path) => (list(values).includes(checked) ? [] : [`${path} is none of ${list(values)}`]),
    pattern: (pattern, checked, path) =>
      typeof checked !== 'string' || new RegExp(String(pattern)).test(checked)
        ? []
        : [`${path} is not like ${pattern}`],
    minimum: (least, checked, path) => (Number(checked) >= Number(least) ? [] : [`${path} is below ${least}`]),
    maximum: (most, checked, path) => (Number(checked) <= Number(most) ? [] : [`${path} is above ${most}`]),
    required: (names, checked, path) =>
      list(names).flatMap(name => (isMap(checked) && String(name) in checked ? [] : [`${path} lacks ${name}`])),
  }
  return check(root, value, '')
}
