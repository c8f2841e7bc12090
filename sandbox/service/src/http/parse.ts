/** Validates one part of a request against its schema. */
import * as v from 'valibot'

const MAX_ISSUES = 10

/** Issues of a rejected request. They never quote a value: a secret in the wrong field must not be returned. */
export interface IssueDetails {
  readonly issues: readonly { readonly field: string; readonly expected: string }[]
  readonly [name: string]: unknown
}

/** Returns a function that validates one part of a request. @param invalidRequest creates the error to throw */
export function createParser(invalidRequest: (details: IssueDetails) => Error) {
  return <S extends v.GenericSchema>(where: string, schema: S, value: unknown): v.InferOutput<S> => {
    const result = v.safeParse(schema, value)
    if (result.success) return result.output
    const issues = result.issues
      .slice(0, MAX_ISSUES)
      .map(issue => ({
        field: [where, v.getDotPath(issue)].filter(part => part !== null).join('.'),
        expected: issue.expected ?? issue.type,
      }))
    throw invalidRequest({ issues })
  }
}
