import { describe, expect, it } from 'vitest'
import {
  createKeybay,
  definePlugin,
  isKeybayError,
  type LogEntry,
  pluginDuplicate,
  pluginMissing,
} from '../src/index.js'

// As a host without TypeScript would call it.
function make(options: object) {
  return () => Reflect.apply(createKeybay, undefined, [{ plugins: [], ...options }])
}

describe('configuration', () => {
  it.each([undefined, '', '   ', 7, null])('[S5.1] rejects an app name of %j with "appName not set"', appName => {
    expect(make({ appName })).toThrow(expect.objectContaining({ code: 'config_app_name', message: 'appName not set' }))
  })
  it('names every invalid option of the configuration in one error', () => {
    const wrong = { environmentId: 'a b', baseApiUrl: 'ftp://x', authMode: 'both', logLevel: 'loud', connectTimeout: 0 }
    expect(make(wrong)).toThrow(
      /appName not set; environmentId: .*; baseApiUrl: .*; authMode: .*; logLevel: .*; connectTimeout: /,
    )
    expect(make({ appName: 'x', ...wrong })).toThrow(expect.objectContaining({ code: 'config_invalid' }))
  })
  it.each([Number.POSITIVE_INFINITY, 2 ** 31, -1, 'soon'])(
    'refuses a connectTimeout of %s, which would end every attempt at once',
    connectTimeout => {
      expect(make({ appName: 'x', connectTimeout })).toThrow(expect.objectContaining({ code: 'config_invalid' }))
    },
  )
  it.each(['https://api.example.org/api/v0', 'http://[::1]:4100', 'http://api.app.localhost:4100/'])(
    'accepts %s as the base URL of the API',
    baseApiUrl => {
      expect(make({ appName: 'x', baseApiUrl })).not.toThrow()
    },
  )
  it('treats an option of undefined like a missing option', () => {
    expect(
      make({ appName: 'x', clock: undefined, authMode: undefined, environmentId: undefined })().config,
    ).toMatchObject({ environmentId: 'local', authMode: 'connect-only', clock: { now: expect.any(Function) } })
  })
  it('fills in the defaults of missing options', () => {
    const { config } = createKeybay({ appName: 'x', plugins: [] })
    expect(config).toMatchObject({ environmentId: 'local', authMode: 'connect-only', connectTimeout: 120_000 })
  })
})

describe('plugins', () => {
  const plugin = (id: string, requires: string[] = [], log: string[] = []) =>
    definePlugin({
      id,
      version: '0.1.0',
      requires,
      setup(kernel) {
        log.push(id)
        return { api: { sees: requires.map(name => kernel.plugins[name] !== undefined) } }
      },
    })
  it('sets up required plugins first, whatever their order in the list', () => {
    const log: string[] = []
    const keybay = createKeybay({ appName: 'x', plugins: [plugin('b', ['a'], log), plugin('a', [], log)] })
    expect(log).toEqual(['a', 'b'])
    expect(keybay.b?.sees).toEqual([true])
  })
  it('names both plugins when a required plugin is missing', () => {
    expect(make({ appName: 'x', plugins: [plugin('b', ['a'])] })).toThrow(
      expect.objectContaining({ code: pluginMissing.code, message: expect.stringMatching(/'b' requires 'a'/) }),
    )
  })
  it('refuses two plugins with the same id', () => {
    expect(make({ appName: 'x', plugins: [plugin('a'), plugin('b'), plugin('a')] })).toThrow(
      expect.objectContaining({ code: pluginDuplicate.code, message: expect.stringMatching(/: a$/) }),
    )
  })
  it('gives plugins with the same API key one API, and leaves out a different API under that key', () => {
    const api = { shared: true }
    const member = (id: string, groupApi: object = api) =>
      definePlugin({ id, version: '0.1.0', apiKey: 'group', setup: () => ({ api: groupApi }) })
    const logged: LogEntry[] = []
    const watch = definePlugin({
      id: 'watch',
      version: '0.1.0',
      setup(kernel) {
        kernel.events.on('log', entry => logged.push(entry))
        return {}
      },
    })
    const keybay = createKeybay({
      appName: 'x',
      logLevel: 'silent',
      plugins: [watch, plugin('needs', ['group']), member('group:a'), member('group:b'), member('group:c', {})],
    })
    expect(keybay).toMatchObject({ group: api, needs: { sees: [true] } })
    expect(Object.keys(keybay)).not.toContain('group:a')
    expect(logged.map(({ meta }) => String(Reflect.get(Object(meta), 'message')))).toEqual([
      "keybay.group is taken: set apiKey of 'group:c'",
    ])
  })
  it('survives plugins that require each other, and a plugin that throws in setup', () => {
    const bad = definePlugin({
      id: 'bad',
      version: '0.1.0',
      setup(): { api: { x: number } } {
        throw new Error('boom')
      },
    })
    const keybay = createKeybay({
      appName: 'x',
      logLevel: 'silent',
      plugins: [plugin('a', ['b']), plugin('b', ['a']), bad],
    })
    expect(keybay.a).toBeDefined()
    expect(keybay.bad).toBeUndefined()
  })
  it('recognises errors by structure, so errors of a second copy of the kernel match', () => {
    const foreign = Object.assign(new Error('x'), { name: 'KeybayError', code: 'plugin_missing' })
    expect(isKeybayError(foreign, pluginMissing)).toBe(true)
    expect(isKeybayError(new Error('x'))).toBe(false)
  })
})
