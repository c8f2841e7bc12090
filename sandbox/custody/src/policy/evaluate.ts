/** What an expression of the policy language says about an activity. What is not there is undefined, and equal to nothing. */
import type { Expression, Operator } from './parse.js'

export type Facts = { readonly [name: string]: unknown }

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !isList(value) && Object.hasOwn(value, name)
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined

const compare = (operator: Operator, left: unknown, right: unknown): boolean => {
  if (operator === 'in') return isList(right) && left !== undefined && right.includes(left)
  if (operator === '==') return left !== undefined && left === right
  if (operator === '!=') return left !== undefined && right !== undefined && left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

export const evaluate = (expression: Expression, facts: Facts): unknown => {
  switch (expression.kind) {
    case 'value':
      return expression.value
    case 'list':
      return expression.items.map(item => evaluate(item, facts))
    case 'name':
      return facts[expression.name]
    case 'member':
      return memberOf(evaluate(expression.of, facts), expression.name)
    case 'index': {
      const [list, at] = [evaluate(expression.of, facts), evaluate(expression.at, facts)]
      return isList(list) && typeof at === 'number' ? list[at] : undefined
    }
    case 'count': {
      const list = evaluate(expression.of, facts)
      return isList(list) ? list.length : undefined
    }
    case 'contains': {
      const [list, item] = [evaluate(expression.of, facts), evaluate(expression.item, facts)]
      return isList(list) && item !== undefined && list.includes(item)
    }
    case 'each': {
      const list = evaluate(expression.of, facts)
      if (!isList(list)) return expression.how === 'filter' ? undefined : false
      const passes = (item: unknown) => evaluate(expression.test, { ...facts, [expression.as]: item }) === true
      if (expression.how === 'filter') return list.filter(passes)
      return expression.how === 'any' ? list.some(passes) : list.every(passes)
    }
    case 'not':
      return evaluate(expression.of, facts) === false
    case 'binary': {
      const { operator, left, right } = expression
      if (operator === '||') return evaluate(left, facts) === true || evaluate(right, facts) === true
      if (operator === '&&') return evaluate(left, facts) === true && evaluate(right, facts) === true
      return compare(operator, evaluate(left, facts), evaluate(right, facts))
    }
  }
}
