/**
 * Parses the policy language into a tree: literals, lists, members, indexes,
 * comparisons, `in`, `!`, `&&`, `||`, and the methods `count()`, `contains(x)`,
 * `any(x, …)`, `all(x, …)`, `filter(x, …)`. Creating a policy refuses anything else.
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
const MAX_DEPTH = 32
const MAX_LENGTH = 4096

interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'sign' | 'end'
  readonly text: string
}

function fail(reason: string): CustodyError {
  return new CustodyError(policyInvalid, { reason })
}

function tokens(text: string): Token[] {
  if (text.length > MAX_LENGTH) throw fail('too long')
  const parsedTokens: Token[] = []
  const end = text.trimEnd().length
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) throw fail(`not understood at character ${at + 1}`)
    const [, number, single, double, word, sign] = match
    if (number !== undefined) parsedTokens.push({ kind: 'number', text: number })
    else if (single !== undefined || double !== undefined)
      parsedTokens.push({ kind: 'text', text: single ?? double ?? '' })
    else if (word !== undefined) parsedTokens.push({ kind: 'word', text: word })
    else parsedTokens.push({ kind: 'sign', text: sign ?? '' })
  }
  return parsedTokens
}

/** @throws CustodyError `POLICY_INVALID` that names the position */
export function parsePolicy(text: string): Expression {
  return new Parser(tokens(text)).parse()
}

/** Reads an expression by recursive descent. */
class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  readonly #names: Set<string> = new Set(ROOTS)

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Expression {
    const result = this.#expression()
    if (this.#next.kind !== 'end') throw fail(`expected the end before ${this.#next.text}`)
    return result
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'the end' }
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#next
    if (kind !== 'sign' || text !== sign) return false
    this.#at++
    return true
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw fail(`expected ${sign} before ${this.#next.text}`)
  }

  #word(): string {
    const { kind, text } = this.#next
    if (kind !== 'word') throw fail(`expected a name before ${text}`)
    this.#at++
    return text
  }

  #expression(): Expression {
    return this.#deeper(() => this.#binary(0))
  }

  #deeper(read: () => Expression): Expression {
    if (++this.#depth > MAX_DEPTH) throw fail('too deep')
    const result = read()
    this.#depth--
    return result
  }

  #binary(level: number): Expression {
    const operators = LEVELS[level]
    if (!operators) return this.#unary()
    let left = this.#binary(level + 1)
    for (;;) {
      const { kind, text } = this.#next
      const operator = operators.find(candidate => candidate === text)
      if (!operator || (kind !== 'sign' && text !== 'in')) return left
      this.#at++
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) }
    }
  }

  #unary(): Expression {
    if (!this.#take('!')) return this.#postfix(this.#primary())
    return { kind: 'not', of: this.#deeper(() => this.#unary()) }
  }

  #listUntil(end: string): Expression[] {
    const items: Expression[] = []
    while (!this.#take(end)) {
      if (items.length > 0) this.#expect(',')
      items.push(this.#expression())
    }
    return items
  }

  #primary(): Expression {
    const { kind, text } = this.#next
    if (this.#take('(')) {
      const inner = this.#expression()
      this.#expect(')')
      return inner
    }
    if (this.#take('[')) return { kind: 'list', items: this.#listUntil(']') }
    this.#at++
    if (kind === 'number') return { kind: 'value', value: Number(text) }
    if (kind === 'text') return { kind: 'value', value: text }
    if (kind !== 'word') throw fail(`expected a value before ${text}`)
    if (text === 'true' || text === 'false') return { kind: 'value', value: text === 'true' }
    if (!this.#names.has(text)) throw fail(`unknown name ${text}`)
    return { kind: 'name', name: text }
  }

  #postfix(start: Expression): Expression {
    let of = start
    for (;;) {
      if (this.#take('.')) {
        const name = this.#word()
        of = this.#take('(') ? this.#method(of, name) : { kind: 'member', of, name }
      } else if (this.#take('[')) {
        const index = this.#expression()
        this.#expect(']')
        of = { kind: 'index', of, at: index }
      } else return of
    }
  }

  #method(of: Expression, name: string): Expression {
    if (name === 'count') {
      this.#expect(')')
      return { kind: 'count', of }
    }
    if (name === 'contains') {
      const item = this.#expression()
      this.#expect(')')
      return { kind: 'contains', of, item }
    }
    if (name !== 'any' && name !== 'all' && name !== 'filter') throw fail(`unknown method ${name}`)
    const as = this.#word()
    if (this.#names.has(as)) throw fail(`${as} is taken`)
    this.#expect(',')
    this.#names.add(as)
    const test = this.#expression()
    this.#names.delete(as)
    this.#expect(')')
    return { kind: 'each', how: name, of, as, test }
  }
}
