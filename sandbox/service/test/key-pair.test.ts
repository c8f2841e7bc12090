import { execFile } from 'node:child_process'
import { sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { newKeyPair } from '../src/key-pair.js'

it.each([
  ['P-256', 'sha256'],
  ['Ed25519', null],
] as const)('a new %s pair signs, and its keys can be exported', (curve, hash) => {
  const { privateKey, publicKey } = newKeyPair(curve)
  const message = Buffer.from('message')
  expect(verify(hash, message, publicKey, sign(hash, message, privateKey))).toBe(true)
  const { d, ...publicJwk } = privateKey.export({ format: 'jwk' })
  expect(Buffer.from(d ?? '', 'base64url')).toHaveLength(32)
  expect(publicKey.export({ format: 'jwk' })).toEqual(publicJwk)
  expect(newKeyPair(curve).privateKey.export({ format: 'jwk' }).d).not.toBe(d)
})

it('exports keys while the garbage is collected', async () => {
  // With keys of generateKeyPairSync, the process hung after at most 5,000 in each of three runs.
  const program = `import { newKeyPair } from '@keybay/sandbox-service/key-pair'
for (let made = 0; made < 8_000; made++) newKeyPair('Ed25519').privateKey.export({ format: 'jwk' })
console.log('exported')`
  const flags = ['--max-semi-space-size=1', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname, timeout: 60_000 })
  expect(stdout).toBe('exported\n')
})
