import { describe, expect, it } from 'vitest'
import { hostsOf, missingHost, stageOf } from '../src/spec/index.js'

const preprod = {
  frameHost: 'https://wallet.preprod.acme.example',
  baseMPCRelayApiUrl: 'https://relay.preprod.acme.example',
}
const production = { frameHost: 'https://wallet.acme.example', baseMPCRelayApiUrl: 'https://relay.acme.example' }
const development = { frameHost: 'http://wallet.localhost:4200', baseMPCRelayApiUrl: 'http://localhost:4300' }

describe('[S2.3] [S9.11] the stage of a product API', () => {
  it.each([
    ['http://localhost:4100/api/v0', 'development', development],
    ['http://api.app.localhost:4100/api/v0', 'development', development],
    ['http://127.0.0.1:4100', 'development', development],
    ['http://127.1:4100', 'development', development],
    ['http://[::1]:4100', 'development', development],
    ['https://api.preprod.acme.example/v0', 'preprod', preprod],
    ['https://preprod-api.acme.example/v0', 'preprod', preprod],
    ['https://api.acme.example/v0', 'production', production],
    // The marker counts in the host name alone.
    ['https://api.acme.example/localhost/preprod?preprod#localhost', 'production', production],
    ['https://localhost:preprod@api.acme.example/', 'production', production],
    ['https://localhost.acme.example/', 'production', production],
    ['https://127.0.0.1.acme.example/', 'production', production],
    ['https://notlocalhost/', 'production', production],
  ] as const)('%s is of stage %s, and gets the hosts of that stage', (baseApiUrl, stage, hosts) => {
    expect(stageOf(baseApiUrl)).toBe(stage)
    expect(hostsOf(baseApiUrl, { preprod, production })).toEqual(hosts)
  })
  it.each([
    ['https://api.preprod.acme.example/v0', { production }],
    ['https://api.acme.example/v0', { preprod }],
    ['https://api.acme.example/v0', undefined],
  ])('%s has no hosts if the app did not set them for its stage', (baseApiUrl, hosts) => {
    expect(hostsOf(baseApiUrl, hosts)).toEqual({})
  })
  it('names the option to set when a host is missing', () => {
    expect(missingHost('waas', 'https://api.acme.example', 'frameHost')).toBe(
      'waas: frameHost is missing. Set waas({ hosts: { production: { frameHost } } }) or waas({ frameHost })',
    )
  })
})
