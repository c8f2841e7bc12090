/** Checks of a connector before its first use. */
import { AUTHENTICATION_METHODS, WALLET_CONNECTION_TYPES } from '../spec/enumerations.js'
import { check } from './check.js'
import type { ConnectorCheck } from './expectations.js'
import { demand } from './stage.js'

const ID = /^[\p{L}\p{N}][^\s|\p{C}]{0,127}$/u
const IMAGE = /^data:image\/[\w.+-]+[;,]/
const READINESS = ['ready', 'loading', 'not-installed', 'unsupported']
/** Method of each feature whose name does not contain it. */
const METHODS: Readonly<Record<string, string>> = { 'standard:events': 'on' }

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isPair(value: unknown): boolean {
  return typeof value === 'string' && /^[^\s:]+:[^\s:]+$/.test(value)
}

export const identityChecks: readonly ConnectorCheck[] = [
  check({
    name: 'id: well-formed, unique, and the same after a reload',
    async play(stage, { id, kind }) {
      const { connector, keybay } = stage
      demand(ID.test(id), `the id must be a word of up to 128 characters without blanks and “|”, not “${id}”`)
      demand(connector.kind === kind, `the kind must be ${kind}, not ${connector.kind}`)
      const ids = keybay.connectors.serverList().map(entry => entry.id)
      demand(new Set(ids).size === ids.length, `ids must be unique: ${ids}`)
      await stage.reload() // Searches for the same ID again.
    },
  }),
  check({
    name: 'setup: only builds',
    async play({ built }) {
      demand(!built.length, `what touches the page belongs in kernel.onStart, not in setup: ${built}`)
    },
  }),
  check({
    name: 'name: readable text',
    async play({ connector: { name } }) {
      demand(typeof name === 'string' && name.trim() !== '', 'there must be a name')
      demand(name.length <= 64, `the name must be of at most 64 characters, not ${name.length}`)
      demand(!/\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(name), 'the name must not control the text')
    },
  }),
  check({
    name: 'icon: a data URL of an image',
    async play({ connector: { icon } }) {
      demand(typeof icon === 'string' && IMAGE.test(icon), 'the icon must be a data URL of an image')
      demand(icon.length <= 200_000, `the icon must be of at most 200000 characters, not ${icon.length}`)
    },
  }),
  check({
    name: 'readiness: a known value, and where to get it if it is not installed',
    async play({ connector }) {
      const { readiness, installUrl = '' } = connector
      demand(READINESS.includes(readiness), `the readiness must be one of ${READINESS}, not ${readiness}`)
      if (readiness === 'not-installed')
        demand(/^https?:\/\/[^/]/.test(installUrl), 'what is not installed must say where to get it: installUrl')
    },
  }),
  check({
    name: 'wallet: the shape of Wallet Standard',
    kind: 'wallet',
    async play({ connector }) {
      if (connector.kind !== 'wallet') return
      const { connectionType, wallet } = connector
      demand(WALLET_CONNECTION_TYPES.includes(connectionType), `${connectionType} is no connection type`)
      demand(wallet.version === '1.0.0', 'wallet.version must be 1.0.0')
      demand(Array.isArray(wallet.accounts), 'wallet.accounts must be a list')
      demand(
        Array.isArray(wallet.chains) && wallet.chains.length > 0 && wallet.chains.every(isPair),
        'wallet.chains must be a list of names such as solana:devnet',
      )
      demand(isRecord(wallet.features), 'wallet.features must be an object')
      for (const [name, feature] of Object.entries(wallet.features)) {
        demand(isPair(name), `a feature must have a name such as solana:signMessage, not ${name}`)
        demand(isRecord(feature), `${name} must be an object`)
        if (!/^(standard|solana):/.test(name)) continue
        const method = METHODS[name] ?? name.slice(name.indexOf(':') + 1)
        demand(typeof feature.version === 'string', `${name} must have a version`)
        demand(typeof feature[method] === 'function', `${name} must have the method ${method}`)
      }
      demand(wallet.features['standard:events'], 'there must be standard:events, or no change would be heard')
      demand(connector.connect ?? wallet.features['standard:connect'], 'there must be a way to connect')
    },
  }),
  check({
    name: 'login: a known method',
    kind: 'login',
    async play({ connector }) {
      if (connector.kind !== 'login') return
      const { method, provider } = connector
      demand(AUTHENTICATION_METHODS.includes(method), `${method} is no method of authentication`)
      demand(provider === undefined || provider !== '', 'a provider must have a name')
    },
  }),
]
