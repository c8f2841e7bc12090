/** Runs the chain alone: `npm start -w sandbox/chain`, or as a child of the sandbox's starter. */
import { optionsFromEnv } from './config.js'
import { startChain } from './index.js'

try {
  const options = optionsFromEnv(process.env, process.cwd())
  const chain = await startChain(options)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    try {
      await chain.stop()
      process.exit(0)
    } catch (error) {
      console.error(`chain: ${error instanceof Error ? error.message : String(error)}`)
      process.exit(1)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // A parent that dies without a signal takes its channel along.
  process.on('disconnect', stop)
  const url = options.host === '127.0.0.1' ? `http://localhost:${chain.port}` : chain.url
  console.log(`chain ready ${url}`)
  process.send?.({ type: 'ready', name: 'chain', url })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
