/** Finds secrets outside the connector. */
import { quietly } from '../spec/shape.js'
import type { Expectations } from './expectations.js'
import { asText, type Sighting } from './sighting.js'
import { demand, type Stage } from './stage.js'

/** Returns the entries of both storages, except the session, which the kernel stores with its token. */
function readStorage(environmentId: string): readonly Sighting[] {
  return [['localStorage', localStorage] as const, ['sessionStorage', sessionStorage] as const].flatMap(
    ([name, storage]) =>
      Object.keys(storage)
        .filter(key => key !== `keybay:${environmentId}:session`)
        .map(key => ({ where: `${name} “${key.slice(0, 60)}”`, text: `${key} ${storage.getItem(key)}` })),
  )
}

/** Returns what anyone who looks at the page can read. */
function readPage(): readonly Sighting[] {
  return [
    { where: 'the page’s address', text: quietly(() => decodeURI(location.href)) ?? location.href },
    { where: 'history.state', text: asText(history.state) ?? '' },
    { where: 'document.title', text: document.title },
    { where: 'document.cookie', text: document.cookie },
    { where: 'window.name', text: window.name },
    { where: 'the document', text: document.documentElement.outerHTML },
  ]
}

function readGlobals(before: ReadonlySet<string>): readonly Sighting[] {
  return Object.getOwnPropertyNames(globalThis)
    .filter(name => !before.has(name))
    .map(name => {
      const value: unknown = Reflect.get(globalThis, name)
      return { where: `globalThis.${name}`, text: `${String(value)} ${asText(value)}` }
    })
}

/** Skips prompts, because they may contain what the user sees and enters. */
function readEvents({ events }: Stage): readonly Sighting[] {
  return events
    .filter(({ name }) => !name.startsWith('prompt:'))
    .map(({ name, payload }) => ({
      where: name === 'log' ? `the log (${Object(payload).level})` : `the event ${name}`,
      text: asText(payload) ?? '',
    }))
}

/** Returns everything that left the connector in this scene. */
export function lookAround(stage: Stage): readonly Sighting[] {
  const { globals, sightings } = stage.world
  const { environmentId } = stage.keybay.config
  return [...readEvents(stage), ...sightings, ...readStorage(environmentId), ...readPage(), ...readGlobals(globals)]
}

export function demandNoSecret(seen: readonly Sighting[], { secrets = [] }: Expectations): void {
  for (const secret of secrets) {
    const sighting = seen.find(({ text }) => text.includes(secret))
    const shown = sighting?.text.replaceAll(secret, '•••').slice(0, 120)
    demand(
      !sighting,
      `a secret must not leave the connector, but ${sighting?.where} holds it: ${shown}. Leave it out there`,
    )
  }
}
