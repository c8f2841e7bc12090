/** Checks of the wallet frame: its headers and files, its configuration, and the services that it names. */
import { isDeepStrictEqual } from 'node:util'
import { createManifest, type FrameConfiguration, type Verification, verifyFrame } from '@keybay/sandbox-frame'
import type { Check } from '../check.js'
import { comparePartyKeys, requireCors } from './shared.js'

const service = 'frame'

function requireNone(findings: Verification['findings']): string {
  const wrong = findings.find(({ problem }) => problem !== undefined)
  if (wrong) throw new Error(`${wrong.path} ${wrong.problem}.`)
  return `${findings.length} are those of this build.`
}

function listSiteChecks(url: string, configuration: FrameConfiguration): readonly Check[] {
  const verified = createManifest().then(manifest => verifyFrame(url, manifest))
  verified.catch(() => undefined)
  const isFile = ({ path }: Verification['findings'][number]) => path.startsWith('/assets/')
  return [
    {
      service,
      name: 'pages and headers',
      remedy:
        'Let the proxy send the headers of the frame unchanged, the content security policy above all, and add none.',
      run: async () => requireNone((await verified).findings.filter(finding => !isFile(finding))),
    },
    {
      service,
      name: 'files',
      remedy: 'Serve the files of this version: build it, and restart every instance.',
      run: async () => requireNone((await verified).findings.filter(isFile)),
    },
    {
      service,
      name: 'configuration',
      remedy: 'Restart every instance with this FRAME_ENVIRONMENTS_FILE.',
      async run() {
        const { configuration: served } = await verified
        if (!isDeepStrictEqual(served, configuration))
          throw new Error('The page has another configuration than the file.')
        return 'The page has the configuration of the file.'
      },
    },
  ]
}

export function listFrameChecks(publicUrl: string, configurations: readonly FrameConfiguration[]): readonly Check[] {
  const { origin } = new URL(publicUrl)
  return configurations.flatMap(configuration => {
    const { environmentId, relays, baseApiUrl } = configuration
    return [
      ...listSiteChecks(`${origin}/waas-v1/${environmentId}`, configuration),
      ...relays.map(
        ({ party, url, ...keys }) =>
          ({
            service,
            name: `keys of ${party}`,
            remedy: `Ask the operator of ${party} for its party.json over a channel that you trust, and set the relay's keys in FRAME_ENVIRONMENTS_FILE to it.`,
            run: () => comparePartyKeys(url, keys),
          }) satisfies Check,
      ),
      {
        service,
        name: 'API',
        remedy: `Add ${origin} to frameOrigins of environment ${environmentId} in API_ENVIRONMENTS_FILE, and set baseApiUrl to the API.`,
        async run() {
          await requireCors(`${baseApiUrl}/sdk/${environmentId}/settings`, origin)
          return `${baseApiUrl} answers the frame.`
        },
      } satisfies Check,
    ]
  })
}
