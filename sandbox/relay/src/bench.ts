/**
 * `node dist/bench.js`: co-signatures per second on one core, bare and as a service. Only the service's CPU time
 * counts, so the client that sends the requests does not affect the result.
 */
import { fileURLToPath } from 'node:url'
import { nobleCoSigner } from '@keybay/waas/mpc'
import { bareRate } from './bench/bare.js'
import { serviceRate } from './bench/service.js'
import { sodiumCoSigner } from './cosign/sodium.js'

export { bareRate, serviceRate }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const coSigner of [nobleCoSigner, sodiumCoSigner]) bareRate(coSigner, 200)
  console.info(`noble, bare      ${Math.round(bareRate(nobleCoSigner, 500))} a second`)
  console.info(`libsodium, bare  ${Math.round(bareRate(sodiumCoSigner, 5_000))} a second`)
  console.info(`service          ${Math.round(await serviceRate(4_000))} a second`)
}
