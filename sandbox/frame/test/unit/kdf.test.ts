/** Compares the keys that the worker derives with @noble/hashes. */
import { KDF_CEILING, KDF_FLOOR, type KdfParameters } from '@keybay/waas/mpc'
import { argon2id } from '@noble/hashes/argon2.js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { KdfRequest, KdfResponse } from '../../src/page/password/kdf.js'
import { serveKdf } from '../../src/page/password/kdf-worker.js'

beforeEach(() => vi.stubGlobal('__ARGON2_TEST_COST__', undefined))
afterEach(() => vi.unstubAllGlobals())

function derive(request: KdfRequest): Promise<KdfResponse> {
  return new Promise(resolve => {
    const scope: Parameters<typeof serveKdf>[0] = { onmessage: null, postMessage: resolve }
    serveKdf(scope)
    scope.onmessage?.(new MessageEvent('message', { data: request }))
  })
}

function expected({ password, salt, parameters: { memoryKiB: m, iterations: t, parallelism: p } }: KdfRequest) {
  return argon2id(password, salt, { m, t, p, dkLen: 32 })
}

const text = new TextEncoder()

it.each<[string, string, KdfParameters]>([
  ['the production cost', 'correct horse', KDF_FLOOR],
  ['little memory', 'x', { memoryKiB: 8, iterations: 1, parallelism: 1 }],
  ['several lanes and passes', 'pässword 🐎', { memoryKiB: 1_031, iterations: 5, parallelism: 4 }],
  ['a long password', 'p'.repeat(1_000), { memoryKiB: 64, iterations: 2, parallelism: 3 }],
])('derives the same key as @noble/hashes at %s', async (_, password, parameters) => {
  const request = { password: text.encode(password), salt: Uint8Array.from({ length: 16 }, (_, i) => i), parameters }
  expect((await derive(request)).key).toEqual(expected(request))
})

it('key derivation uses 64 MiB and 3 passes in production, and accepts at most 256 MiB and 10 passes', () => {
  expect(KDF_FLOOR).toEqual({ memoryKiB: 65_536, iterations: 3, parallelism: 1 })
  expect(KDF_CEILING).toEqual({ memoryKiB: 262_144, iterations: 10, parallelism: 4 })
})

it('reports a key derivation that failed', async () => {
  const parameters = { memoryKiB: 8, iterations: 1, parallelism: 1 }
  expect(await derive({ password: new Uint8Array(), salt: new Uint8Array(16), parameters })).toEqual({ key: undefined })
})
