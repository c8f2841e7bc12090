/** Runs the frame's host alone: `npm start -w sandbox/frame`, or as a child of the sandbox's starter. */
import { integer, runService } from '@keybay/sandbox-service'
import { readEnvironments, readExports, startFrame } from './index.js'

const { env } = process

await runService('frame', () =>
  startFrame({
    port: integer(env, 'frame', 'FRAME_PORT', 4200, [0, 65_535]),
    host: env.FRAME_HOST || '127.0.0.1',
    environments: readEnvironments(env),
    exports: readExports(env),
    log: line => process.stderr.write(`${line}\n`),
  }),
)
