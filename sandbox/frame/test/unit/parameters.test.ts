/** The frame compares its address with the configuration, and refuses every difference. The refusal on screen is in boot.test.ts. */
import { expect, it } from 'vitest'
import type { FrameConfiguration } from '../../src/configuration/frame.js'
import { readParameters } from '../../src/page/boot/parameters.js'

const configuration: FrameConfiguration = {
  environmentId: 'local',
  baseApiUrl: 'http://api.app.localhost:4100/api/v0',
  relays: [{ party: 'R1', url: 'http://localhost:4300/api/v0', recordKeys: [] }],
  parentOrigins: ['http://app.localhost:4000'],
}
const valid = {
  instanceId: 'instance-0001',
  hostOrigin: 'http://app.localhost:4000',
  environmentId: 'local',
  baseApiUrl: configuration.baseApiUrl,
  baseMPCRelayApiUrl: 'http://localhost:4300/api/v0',
  sdkVersion: '0.1.0',
}

function read(changes: Readonly<Record<string, string>> = {}, more = '') {
  const query = new URLSearchParams({ ...valid, ...changes })
  return readParameters(`http://wallet.localhost:4200/waas-v1/local?${query}${more}`, configuration)
}

it('[S2.1] accepts the six parameters that the frame’s configuration contains', () => {
  const { instanceId, hostOrigin, sdkVersion } = valid
  expect(read()).toEqual({ instanceId, hostOrigin, sdkVersion })
})

it.each([
  ['baseApiUrl', 'http://api.evil.localhost:4100/api/v0'],
  ['baseApiUrl', 'http://api.app.localhost:4101/api/v0'],
  ['baseApiUrl', 'http://api.app.localhost:4100/api/v1'],
  ['baseApiUrl', 'javascript:alert(1)'],
  ['baseMPCRelayApiUrl', 'http://evil.localhost:4300/api/v0'],
  ['environmentId', 'other'],
  ['hostOrigin', 'http://evil.localhost'],
  ['hostOrigin', 'null'],
  ['hostOrigin', '*'],
  ['instanceId', '<script>'],
  ['sdkVersion', ''],
])('refuses a frame URL with another %s (%s)', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(
    expect.objectContaining({ code: 'frame_refused', message: expect.stringContaining(name) }),
  )
})

it.each([
  ['&environmentId=local', 'environmentId is missing'],
  ['&relay=http://evil', 'relay is not known here'],
])('refuses a frame URL with a duplicate or unknown parameter (%s)', (more, message) => {
  expect(() => read({}, more)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }))
})
