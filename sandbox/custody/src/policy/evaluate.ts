/** Evaluates a policy expression on an activity. A missing value is undefined and equal to nothing. */
import { CustodyError, policyInvalid } from '../http/errors.js'
import type { Expression, Operator } from './parse.js'

/** Limits nested lists: comparing 64 payloads with each other five levels deep takes a billion steps. */
const MAX_STEPS = 50_000

export type Facts = { readonly [name: string]: unknown }

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !isList(value) && Object.hasOwn(value, name)
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined
}

function compare(operator: Operator, left: unknown, right: unknown): boolean {
  if (operator === 'in') return isList(right) && left !== undefined && right.includes(left)
  if (operator === '==') return left !== undefined && left === right
  if (operator === '!=') return left !== undefined && right !== undefined && left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

function worth(expression: Expression, facts: Facts, step: () => void): unknown {
  step()
  const of = (part: Expression) => worth(part, facts, step)
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'list':
      return expression.items.map(item => of(item))
    case 'name':
      return facts[expression.name]
    case 'member':
      return getMember(of(expression.of), expression.name)
    case 'index': {
      const [list, at] = [of(expression.of), of(expression.at)]
      return isList(list) && typeof at === 'number' ? list[at] : undefined
    }
    case 'count': {
      const list = of(expression.of)
      return isList(list) ? list.length : undefined
    }
    case 'contains': {
      const [list, item] = [of(expression.of), of(expression.item)]
      return isList(list) && item !== undefined && list.includes(item)
    }
    case 'each': {
      const list = of(expression.of)
      if (!isList(list)) return expression.how === 'filter' ? undefined : false
      const passes = (item: unknown) => worth(expression.test, { ...facts, [expression.as]: item }, step) === true
      if (expression.how === 'filter') return list.filter(passes)
      return expression.how === 'any' ? list.some(passes) : list.every(passes)
    }
    case 'not':
      return of(expression.of) === false
    case 'binary': {
      const { operator, left, right } = expression
      if (operator === '||') return of(left) === true || of(right) === true
      if (operator === '&&') return of(left) === true && of(right) === true
      return compare(operator, of(left), of(right))
    }
  }
}

/** @throws CustodyError `POLICY_INVALID` for an expression that would block the service for too long */
export function evaluate(expression: Expression, facts: Facts): unknown {
  let steps = 0
  return worth(expression, facts, () => {
    if (++steps > MAX_STEPS) throw new CustodyError(policyInvalid, { reason: 'it takes too long to evaluate' })
  })
}
