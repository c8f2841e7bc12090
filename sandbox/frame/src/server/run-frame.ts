/** Runs the frame's host as a program, configured by environment variables; the README lists them. */
import { address, integer, runService } from '@keybay/sandbox-service'
import { type Environments, readExports, startFrame } from './index.js'

const LOCAL_ENVIRONMENT =
  'FRAME_ENVIRONMENTS_FILE is not set, so the frame would believe whatever relay answers on this machine. Set it to a file with your environments (README).'
const STAND_INS_ARE_ON = 'IDENTITY_URL is not off: it stands for drives that everybody can read. Set IDENTITY_URL=off.'

/** Lists the stand-ins for real settings. A file with environments has its own drives. */
function getStandIns(env: NodeJS.ProcessEnv): readonly string[] {
  if (env.FRAME_ENVIRONMENTS_FILE) return []
  return [LOCAL_ENVIRONMENT, ...(!env.IDENTITY_URL || env.IDENTITY_URL === 'off' ? [] : [STAND_INS_ARE_ON])]
}

/** @param readEnvironments with the sandbox's drives, or without */
export function runFrame(
  env: NodeJS.ProcessEnv,
  readEnvironments: (env: NodeJS.ProcessEnv) => Environments,
  clientFolder?: string,
): Promise<void> {
  return runService('frame', () => {
    const publicUrl = address(env, 'frame', 'FRAME_PUBLIC_URL', undefined)
    return startFrame({
      port: integer(env, 'frame', 'FRAME_PORT', 4200, [0, 65_535]),
      host: env.FRAME_HOST || '127.0.0.1',
      ...(publicUrl && { publicUrl }),
      environments: readEnvironments(env),
      exports: readExports(env),
      ...(clientFolder !== undefined && { clientFolder }),
      standIns: getStandIns(env),
      log: line => process.stderr.write(`${line}\n`),
    })
  })
}
