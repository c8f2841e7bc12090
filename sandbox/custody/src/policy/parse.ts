/**
 * The policy language, as a tree: literals, lists, members, indexes, comparisons, `in`, `!`, `&&`, `||`, and the methods
 * `count()`, `contains(x)`, `any(x, …)`, `all(x, …)`, `filter(x, …)`. What is not in it is refused when a policy is made.
 *
 * @example parsePolicy("activity.action == 'SIGN' && approvers.any(user, user.id == 'u1')")
 */
import { CustodyError, policyInvalid } from '../http/errors.js'

export type Expression =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly at: Expression }
  | { readonly kind: 'count'; readonly of: Expression }
  | { readonly kind: 'contains'; readonly of: Expression; readonly item: Expression }
  | {
      readonly kind: 'each'
      readonly how: Each
      readonly of: Expression
      readonly as: string
      readonly test: Expression
    }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }

type Each = 'any' | 'all' | 'filter'
export type Operator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in'

const TOKEN = /\s*(?:(\d+)|'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*)|(\|\||&&|==|!=|<=|>=|[<>!()[\],.]))/y
const LEVELS: readonly (readonly Operator[])[] = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in']]
const ROOTS = ['activity', 'approvers', 'credentials', 'wallet', 'wallet_account', 'private_key']
const DEEPEST = 32
const LONGEST = 4096

interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'sign' | 'end'
  readonly text: string
}

function fail(reason: string): CustodyError {
  return new CustodyError(policyInvalid, { reason })
}

function tokens(text: string): Token[] {
  if (text.length > LONGEST) throw fail('too long')
  const found: Token[] = []
  const end = text.trimEnd().length
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) throw fail(`not understood at character ${at + 1}`)
    const [, number, single, double, word, sign] = match
    if (number !== undefined) found.push({ kind: 'number', text: number })
    else if (single !== undefined || double !== undefined) found.push({ kind: 'text', text: single ?? double ?? '' })
    else if (word !== undefined) found.push({ kind: 'word', text: word })
    else found.push({ kind: 'sign', text: sign ?? '' })
  }
  return found
}

/** @throws CustodyError `POLICY_INVALID` that says where */
export function parsePolicy(text: string): Expression {
  const list = tokens(text)
  let at = 0
  let depth = 0
  const names = new Set(ROOTS)
  const peek = (): Token => list[at] ?? { kind: 'end', text: 'the end' }
  const isSign = (text: string) => peek().kind === 'sign' && peek().text === text
  const take = (text: string): boolean => {
    if (!isSign(text)) return false
    at++
    return true
  }
  const expect = (text: string): void => {
    if (!take(text)) throw fail(`expected ${text} before ${peek().text}`)
  }
  const word = (): string => {
    const { kind, text } = peek()
    if (kind !== 'word') throw fail(`expected a name before ${text}`)
    at++
    return text
  }

  const binary = (level: number): Expression => {
    const operators = LEVELS[level]
    if (!operators) return unary()
    let left = binary(level + 1)
    for (;;) {
      const { kind, text } = peek()
      const operator = operators.find(one => one === text)
      if (!operator || (kind !== 'sign' && text !== 'in')) return left
      at++
      left = { kind: 'binary', operator, left, right: binary(level + 1) }
    }
  }
  const expression = (): Expression => {
    if (++depth > DEEPEST) throw fail('too deep')
    const result = binary(0)
    depth--
    return result
  }
  const unary = (): Expression => {
    if (!take('!')) return postfix(primary())
    if (++depth > DEEPEST) throw fail('too deep')
    const of = unary()
    depth--
    return { kind: 'not', of }
  }
  const listUntil = (end: string): Expression[] => {
    const items: Expression[] = []
    while (!take(end)) {
      if (items.length > 0) expect(',')
      items.push(expression())
    }
    return items
  }
  const primary = (): Expression => {
    const { kind, text } = peek()
    if (take('(')) {
      const inner = expression()
      expect(')')
      return inner
    }
    if (take('[')) return { kind: 'list', items: listUntil(']') }
    at++
    if (kind === 'number') return { kind: 'value', value: Number(text) }
    if (kind === 'text') return { kind: 'value', value: text }
    if (kind !== 'word') throw fail(`expected a value before ${text}`)
    if (text === 'true' || text === 'false') return { kind: 'value', value: text === 'true' }
    if (!names.has(text)) throw fail(`unknown name ${text}`)
    return { kind: 'name', name: text }
  }
  const method = (of: Expression, name: string): Expression => {
    if (name === 'count') {
      expect(')')
      return { kind: 'count', of }
    }
    if (name === 'contains') {
      const item = expression()
      expect(')')
      return { kind: 'contains', of, item }
    }
    if (name !== 'any' && name !== 'all' && name !== 'filter') throw fail(`unknown method ${name}`)
    const as = word()
    if (names.has(as)) throw fail(`${as} is taken`)
    expect(',')
    names.add(as)
    const test = expression()
    names.delete(as)
    expect(')')
    return { kind: 'each', how: name, of, as, test }
  }
  const postfix = (start: Expression): Expression => {
    let of = start
    for (;;) {
      if (take('.')) {
        const name = word()
        of = take('(') ? method(of, name) : { kind: 'member', of, name }
      } else if (take('[')) {
        const index = expression()
        expect(']')
        of = { kind: 'index', of, at: index }
      } else return of
    }
  }

  const result = expression()
  if (peek().kind !== 'end') throw fail(`expected the end before ${peek().text}`)
  return result
}
