/** Runs the chain alone: `npm start -w sandbox/chain`, or as a child process of the sandbox. */
import { runService } from '@keybay/sandbox-service'
import { optionsFromEnv } from './config.js'
import { startChain } from './index.js'

await runService('chain', async () => {
  const options = optionsFromEnv(process.env, process.cwd())
  const chain = await startChain(options)
  return { url: options.host === '127.0.0.1' ? `http://localhost:${chain.port}` : chain.url, stop: () => chain.stop() }
})
