/** The settings that production needs or refuses, as data: each service has a table of them. */
import { readFileSync, statSync } from 'node:fs'
import { isLocalUrl } from './local.js'
import { StartUpCheck } from './start-up.js'

export interface Setting<Options = unknown> {
  /** Completes "X is not set, so …": the risk of the sandbox's default. */
  readonly risk: string
  /** Completes "Set it to …". */
  readonly value: string
  /** Decides whether production needs the variable. Default: always. */
  readonly isNeeded?: (options: Options) => boolean
  /** Other name of the variable, which counts as well. */
  readonly alias?: string
  /** A secret may also be in the file that `<NAME>_FILE` names. */
  readonly isSecret?: boolean
  /** Returns what is unsafe about a value, to follow the variable's name, with what to do. It quotes no secret. */
  readonly findProblems?: (value: string) => readonly string[]
}

/** Settings by the name of their variable. */
export type Settings<Options> = Readonly<Record<string, Setting<Options>>>

/** Different bytes in a key: of 32 random bytes 30 are different on average, and fewer than 16 never. */
const MIN_DIFFERENT = 16

function findWeakKey(text: string): readonly string[] {
  const keys = (text.match(/[\w-]{43,}/g) ?? []).map(key =>
    Buffer.from(key, /^[\da-f]+$/i.test(key) ? 'hex' : 'base64url'),
  )
  return keys.some(key => new Set(key).size < MIN_DIFFERENT)
    ? [' has a key that is not random. Make one, for example with: openssl rand -base64 32 | tr +/ -_ | tr -d =']
    : []
}

/** Key that every instance shares. */
export function keySetting(what: string): Setting {
  return {
    risk: 'this instance would use a generated key, which no other instance has',
    value: `${what}, the same on every instance`,
    isSecret: true,
    findProblems: findWeakKey,
  }
}

export function databaseSetting(alias?: string): Setting {
  return {
    risk: 'the data would be in a folder of this machine, which can lose the last writes',
    value: 'the PostgreSQL database, postgres://…',
    isSecret: true,
    ...(alias !== undefined && { alias }),
  }
}

export const PROXY_COUNT: Setting = {
  risk: 'behind a proxy all users would count as one address, and reach the rate limits together',
  value: 'the number of proxies in front that add to X-Forwarded-For; 0 if there are none',
}

/** Factor of the rate limits, which tests raise. */
export const LIMIT_FACTOR: Setting = {
  risk: 'the rate limits apply as they are',
  value: '1',
  isNeeded: () => false,
  findProblems: factor =>
    Number(factor) > 1 ? [` is ${factor}, which lets attackers guess and send more. Set it to 1, or remove it.`] : [],
}

/** Unsafe for every service. */
const COMMON: Settings<unknown> = {
  NODE_TLS_REJECT_UNAUTHORIZED: {
    risk: 'certificates are checked',
    value: '1',
    isNeeded: () => false,
    findProblems: value =>
      value === '0'
        ? [
            ' is 0, so anyone on the way can read tokens and answers. Remove it; NODE_EXTRA_CA_CERTS names an authority of your own.',
          ]
        : [],
  },
}

export const SMTP: Setting = {
  risk: 'mail would go to the inbox of this machine, which shows it to anyone here',
  value: 'your mail server, smtps://user:password@host:465, or smtp://user:password@host:587 if it has STARTTLS',
  isSecret: true,
}

export const MAIL_FROM: Setting = {
  risk: 'mail would come from an address that is not yours',
  value: 'the sender of mail, for example "Acme <no-reply@acme.example>"',
  findProblems: sender =>
    /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(sender)
      ? []
      : [' is no sender. Set it to an address, or to a name and an address: "Acme <no-reply@acme.example>".'],
}

/** Address that browsers use. @param example for the error */
export function publicUrlSetting(example: string): Setting {
  return {
    risk: 'browsers would look for the service on their own machine',
    value: `the address that browsers use, for example ${example}`,
    findProblems: url =>
      url.startsWith('http:')
        ? [' is plain http, so others can read and change what users send. Use https://.']
        : findUnlikeBrowsers(url),
  }
}

/** Compares an address with what browsers send: proofs and links name the public address as it is written here. */
function findUnlikeBrowsers(url: string): readonly string[] {
  const { protocol = '', origin = '', pathname = '', hostname = '', port = '' } = URL.canParse(url) ? new URL(url) : {}
  const written = origin + pathname
  if (protocol !== 'https:' || ![written, written.replace(/\/$/, '')].includes(url))
    return [
      ' is not as browsers write it. Use https:// in lower case, without user, port 443, query, fragment and spaces.',
    ]
  return /[*]|^0\.0\.0\.0$|^\[::\]$/.test(hostname) || port === '0'
    ? [' is no address that a browser can reach. Use the name of the service.']
    : []
}

/** Returns the problem of an address that this service calls. Only on this machine may it be plain http. */
export function findPlainHttp(url: string): readonly string[] {
  return !url.startsWith('http:') || isLocalUrl(url)
    ? []
    : [' is plain http, so others can read tokens and answers. Use https://, or an address of this machine.']
}

/**
 * Returns the problem of a page's origin. A page of the user's own machine may be plain http, for development.
 * @param isLive the origin belongs to a live environment, which serves no page of a developer's machine
 */
function findUnsafeOrigin(origin: string, isLive: boolean): string | undefined {
  if (origin.includes('*')) return `${origin} is a wildcard, which admits pages that you do not know. List each origin.`
  if (origin.startsWith('http:') && !isLocalUrl(origin))
    return `${origin} is plain http, so others can change that page. Use https://.`
  if (isLive && isLocalUrl(origin))
    return `${origin} is a page of the user's own machine, where any program may serve it. Remove it, or use an environment of kind sandbox for development.`
  return undefined
}

/** Finds unsafe origins in a list that is separated by commas or spaces. */
export function findUnsafeOrigins(text: string, isLive = false): readonly string[] {
  return text.split(/[\s,]+/).flatMap(origin => {
    const problem = findUnsafeOrigin(origin, isLive)
    return problem === undefined ? [] : [`: ${problem}`]
  })
}

interface Field {
  readonly path: string
  readonly text: string
  /** Name of the field; of a list, that of the list. */
  readonly name: string
}

function* fieldsOf(value: unknown, path: string, name = ''): Generator<Field> {
  if (typeof value === 'string') yield { path, text: value, name }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (!Array.isArray(value)) yield* fieldsOf(child, path ? `${path}.${key}` : key, key)
    else yield* fieldsOf(child, typeof child === 'object' ? `${path}[${key}]` : path, name)
  }
}

/**
 * Finds unsafe addresses in a file of environments: plain http, wildcard origins, and local origins of live ones.
 * @param calledFields names of the fields with addresses that the service itself calls
 */
export function environmentsSetting(risk: string, calledFields: readonly string[] = []): Setting {
  const findProblem = ({ path, text, name }: Field, isLive: boolean): readonly string[] => {
    if (!/^https?:\/\//.test(text)) return []
    if (name.endsWith('Origins')) return findUnsafeOrigins(text, isLive).map(problem => `: ${path}${problem}`)
    if (calledFields.includes(name)) return findPlainHttp(text).map(problem => `: ${path}${problem}`)
    return text.startsWith('http:') ? [`: ${path} is plain http. Use https://.`] : []
  }
  return {
    risk,
    value: 'a file with your environments (README)',
    findProblems: file => {
      const all = readJson(file)
      return Object.entries(Object(all)).flatMap(([id, settings]) => {
        const fields = fieldsOf(settings, Array.isArray(all) ? `[${id}]` : id)
        return [...fields].flatMap(field => findProblem(field, Object(settings).kind === 'live'))
      })
    },
  }
}

/** Returns undefined for an unreadable file: the service's own reader says what is wrong with it. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A variable that is missing, invalid or unsafe. */
export interface SettingProblem {
  readonly variable: string
  /** Sentence with the variable's name and what to do. */
  readonly text: string
}

/** Anyone on the machine may write. */
const WORLD_WRITABLE = 0o002

/** Returns what is wrong with a file of a secret and its text. */
function findFileProblem(file: string, text: string): string | undefined {
  if (text === '') return `${file} is empty.`
  // Windows has other permissions.
  return process.platform !== 'win32' && statSync(file).mode & WORLD_WRITABLE
    ? `${file} can be replaced by anyone on this machine. Run: chmod o-w ${file}`
    : undefined
}

/**
 * Removes the spaces and line feeds around each value, which a secret of Kubernetes often has, and variables of nothing but
 * spaces and commas, which would count as set and have no value.
 */
function clean(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const trimmed = Object.entries(env).map(([name, text = '']) => [name, text.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, text]) => !/^[\s,]*$/.test(text)))
}

/**
 * Reads secrets from the files that `<NAME>_FILE` names.
 * @returns the environment with the secrets, cleaned, and the problems
 */
export function readSecretFiles<Options>(given: NodeJS.ProcessEnv, settings: Settings<Options>) {
  const env = clean(given)
  const read = { ...env }
  const problems: SettingProblem[] = []
  const names = Object.entries(settings).filter(([, { isSecret }]) => isSecret)
  for (const variable of names.flatMap(([name, { alias }]) => [name, ...(alias === undefined ? [] : [alias])])) {
    const file = env[`${variable}_FILE`]
    if (!file) continue
    const problem = env[variable] ? ` and ${variable}_FILE are both set. Remove one of them.` : undefined
    try {
      read[variable] = readFileSync(file, 'utf8').trim()
      const fileProblem = findFileProblem(file, read[variable])
      if (problem !== undefined) problems.push({ variable, text: variable + problem })
      else if (fileProblem !== undefined) problems.push({ variable, text: `${variable}_FILE: ${fileProblem}` })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      problems.push({ variable, text: `${variable}_FILE: the file cannot be read (${why}).` })
    }
  }
  return { env: read, problems }
}

/**
 * Returns the environment of an operator's command, with the secrets of files.
 * @throws StartUpError that lists unreadable files
 */
export function readCommandEnv<Options>(service: string, settings: Settings<Options>): NodeJS.ProcessEnv {
  const { env, problems } = readSecretFiles(process.env, settings)
  new StartUpCheck({ service, invalid: problems }).throwProblems()
  return env
}

/** Returns what production lacks, and what is unsafe there. @param env with the secrets of {@link readSecretFiles} */
export function findSettingProblems<Options>(env: NodeJS.ProcessEnv, settings: Settings<Options>, options: Options) {
  return Object.entries({ ...COMMON, ...settings }).flatMap(([variable, setting]): readonly SettingProblem[] => {
    const { risk, value, isSecret, alias, isNeeded = () => true, findProblems = () => [] } = setting
    const [own, other] = [env[variable], alias && env[alias]]
    // Which one counts depends on the service.
    if (own && other && own !== other)
      return [{ variable, text: `${variable} and ${alias} are both set, and differ. Remove one of them.` }]
    const text = own || other
    if (text) return findProblems(text).map(problem => ({ variable, text: variable + problem }))
    const orFile = isSecret ? `, or ${variable}_FILE to a file that holds it` : ''
    return isNeeded(options)
      ? [{ variable, text: `${variable} is not set, so ${risk}. Set it to ${value}${orFile}.` }]
      : []
  })
}
