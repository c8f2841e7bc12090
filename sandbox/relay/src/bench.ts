/**
 * `node dist/bench.js`: co-signatures per second on one core, bare and as a service. Only the service's CPU time
 * counts, so the client that sends the requests does not affect the result.
 */

import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type CoSigner, createFrameSigner, nobleCoSigner } from '@keybay/waas/mpc'
import { measureCeremonies } from './bench/ceremonies.js'
import { serviceRate, withSigners } from './bench/service.js'
import { measureUnauthenticated } from './bench/unauthenticated.js'
import { newWallet } from './bench/wallet.js'
import { sodiumCoSigner } from './cosign/sodium.js'

export { measureCeremonies, measureUnauthenticated, serviceRate, withSigners }

/** Returns co-signatures per second on this core. */
export function bareRate(coSigner: CoSigner, rounds: number): number {
  const { getShare } = newWallet()
  const [frame, share] = [createFrameSigner(getShare('C'), ['R1']), getShare('R1')]
  const message = new Uint8Array(randomBytes(215))
  const request = new Uint8Array(randomBytes(32))
  const commitments = Array.from({ length: rounds }, () => frame.begin(message).commitment)
  const started = process.cpuUsage()
  for (const commitment of commitments) {
    const signing = coSigner.begin({ share, request, message, received: [commitment] })
    signing.sign([commitment, signing.commitment])
  }
  const { user, system } = process.cpuUsage(started)
  return rounds / ((user + system) / 1e6)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const coSigner of [nobleCoSigner, sodiumCoSigner]) bareRate(coSigner, 200)
  console.info(`noble, bare      ${Math.round(bareRate(nobleCoSigner, 500))} a second`)
  console.info(`libsodium, bare  ${Math.round(bareRate(sodiumCoSigner, 5_000))} a second`)
  console.info(`service          ${Math.round(await serviceRate(4_000))} a second`)
  const { creationMs, reshareMs } = await measureCeremonies(100)
  console.info(`${creationMs.toFixed(1)} ms  creation at R1\n${reshareMs.toFixed(1)} ms  reshare at R1`)
  for (const [name, ms] of Object.entries(await measureUnauthenticated(2_000)))
    console.info(`${ms.toFixed(2)} ms  ${name}`)
}
